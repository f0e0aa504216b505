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
