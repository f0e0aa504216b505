import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { runBridge } from './stdio.ts';

/** What the bridge writes for these lines; the server answers whatever reaches it. */
async function answersTo(lines: string[]): Promise<unknown[]> {
  const output = new PassThrough();
  const errors: string[] = [];
  await runBridge({
    url: 'http://compute.test/mcp',
    delegationId: 'dlg_1',
    agentKey: 'key',
    input: Readable.from(lines.map((line) => `${line}\n`)),
    output,
    error: (text) => errors.push(text),
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (url.includes('/api/iam/')) return Response.json({ data: { token: 'dlg', expiresAt: Date.now() + 900_000 } });
      const { id } = JSON.parse(String(init?.body)) as { id: number };
      return Response.json({ jsonrpc: '2.0', id, result: {} });
    },
  });
  expect(errors).toEqual([]);
  return String(output.read() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

test.each(['null', '7', '"text"', 'true', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'])(
  'iam§15.5 a line that is no message (%s) is refused, and the next one still goes through',
  async (line) => {
    expect(await answersTo([line, '{"jsonrpc":"2.0","id":2,"method":"ping"}'])).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'a message is one JSON object; batches are not accepted' } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
  },
);

test('iam§15.5 a line that is no JSON is a parse error', async () => {
  expect(await answersTo(['{'])).toEqual([{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'not JSON' } }]);
});

/** A bridge on a server that knows some of the tokens it gave out; `opened` counts the sessions. */
function bridged(lines: number, isKnown: (token: string) => boolean, o: { pass?: (call: number) => number } = {}) {
  const opened: string[] = [];
  const refused: number[] = [];
  let calls = 0;
  let now = 1_000_000;
  const output = new PassThrough();
  const done = runBridge({
    url: 'http://compute.test/mcp',
    delegationId: 'dlg_1',
    agentKey: 'key',
    input: Readable.from(Array.from({ length: lines }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)),
    output,
    error: () => {},
    clock: () => now,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (url.includes('/api/iam/')) return Response.json({ data: { token: `dlg-${opened.push(url)}`, expiresAt: now + 900_000 } });
      now += o.pass?.(++calls) ?? 0;
      // a slow answer: the others are renewed by then
      for (let turns = calls; turns > 0; turns--) await Promise.resolve();
      const { id } = JSON.parse(String(init?.body)) as { id: number };
      const token = new Headers(init?.headers).get('authorization')!.slice('Bearer '.length);
      if (isKnown(token)) return Response.json({ jsonrpc: '2.0', id, result: {} });
      refused.push(id);
      return new Response(null, { status: 401 });
    },
  });
  return done.then(() => ({ opened: opened.length, refused: refused.length, answers: String(output.read()).trim().split('\n').length }));
}

test('iam§15.5 however many calls are refused at once, one session is opened in place of the one that ended', async () => {
  // the first was revoked a minute after it was opened, before anything was sent
  const { opened, refused, answers } = await bridged(30, (token) => token !== 'dlg-1', { pass: (call) => (call === 1 ? 61_000 : 0) });
  expect([opened, answers]).toEqual([2, 30]);
  expect(refused).toBeGreaterThan(1);
});

test('iam§15.5 where everything it opens is refused, a bridge opens at most one session a minute', async () => {
  const { opened, answers } = await bridged(200, () => false, { pass: () => 1_000 });
  expect(answers).toBe(200);
  expect(opened).toBeLessThanOrEqual(1 + Math.ceil((400 * 1_000) / 60_000));
});
