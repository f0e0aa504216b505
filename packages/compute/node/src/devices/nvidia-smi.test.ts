import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { diagnoseNvidia } from './nvidia-smi.ts';

const dir = mkdtempSync(join(tmpdir(), 'nvidia-smi-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A stand-in for the tool: there is no such GPU here. */
function tool(name: string, script: string): string {
  const file = join(dir, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('compute§8 a machine without the tool, without its driver or without a GPU has no driver, and says why', async () => {
  expect(await diagnoseNvidia(join(dir, 'not-there'))).toEqual({ driver: null, reason: 'nvidia-smi is not on this machine' });
  expect(await diagnoseNvidia(tool('no-driver', "echo 'NVIDIA-SMI has failed'; exit 9"))).toEqual({ driver: null, reason: 'NVIDIA-SMI has failed' });
  expect(await diagnoseNvidia(tool('silent', 'exit 3'))).toEqual({ driver: null, reason: 'nvidia-smi ended with 3' });
  expect(await diagnoseNvidia(tool('empty', 'exit 0'))).toEqual({ driver: null, reason: 'nvidia-smi shows no GPU' });
});

test('compute§8 what the tool prints becomes numbers, and what it does not know is null', async () => {
  const rows = '0, GPU-1, NVIDIA H100 80GB HBM3, 560.35.03, 41, 1024, 81559, 0\n1, GPU-2, NVIDIA H100 80GB HBM3, 560.35.03, [N/A], 0, 81559, [N/A]';
  expect(await diagnoseNvidia(tool('two', `test "$2" = '--format=csv,noheader,nounits' && printf '${rows.replace('\n', '\\n')}\\n'`))).toEqual({
    driver: '560.35.03',
    gpus: [
      { index: 0, uuid: 'GPU-1', product: 'NVIDIA H100 80GB HBM3', temperatureC: 41, memoryUsedMiB: 1024, memoryMiB: 81559, uncorrectedErrors: 0 },
      { index: 1, uuid: 'GPU-2', product: 'NVIDIA H100 80GB HBM3', temperatureC: null, memoryUsedMiB: 0, memoryMiB: 81559, uncorrectedErrors: null },
    ],
  });
});
