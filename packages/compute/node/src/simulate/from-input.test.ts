import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { simulateFromInput } from './from-input.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'input-'));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const simulating = (input: PassThrough): Promise<void> => simulateFromInput({ input, urls: ['http://127.0.0.1:1'], stateDir, complain: () => {} });

test('compute§4 the specification is one line, in as many pieces as it comes', async () => {
  const input = new PassThrough();
  const over = simulating(input);
  for (const piece of ['{"gro', 'ups":[]}', '\n']) input.write(piece);
  // no node, so none of them keeps it: only the end of the input does not end it early
  await over;
});

test('compute§4 an input that ends before its line, or has none in a mebibyte, is refused', async () => {
  const ended = new PassThrough();
  const over = simulating(ended);
  ended.end('{"groups":[]}');
  await expect(over).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const endless = new PassThrough();
  const refused = simulating(endless);
  endless.write('x'.repeat(1_048_577));
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('compute§4 a node without a token that never joined is named', async () => {
  const input = new PassThrough();
  const over = simulating(input);
  input.write(
    `${JSON.stringify({ groups: [{ namePrefix: 'n', nodes: 1, gpusPerNode: 1, product: 'H100', gpuMemoryGiB: 80, nvlink: 'node', vcpu: 1, memoryGiB: 1 }] })}\n`,
  );
  await expect(over).rejects.toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringContaining('n-01') });
});
