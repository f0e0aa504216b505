import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ReleaseFailure } from './failure.ts';
import { askForPools } from './mcp-call.ts';

/** Answers every request with one text; `undefined` where a right server would be. */
async function asked(answers: Record<string, { status?: number; type?: string; body: unknown }>): Promise<{ version: string; pools: number }> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { method } = JSON.parse(text) as { method: string };
      const { status = 200, type = 'application/json', body } = answers[method] ?? { body: {} };
      response.writeHead(request.headers.authorization === 'Bearer tok' ? status : 401, { 'content-type': type }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await askForPools({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, agentToken: 'tok' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const initialize = { body: { result: { serverInfo: { name: 'better-compute', version: '1.2.3' } } } };

describe('issue2.11 the MCP call that a release is tried with', () => {
  test('tells the version and counts the pools', async () => {
    expect(await asked({ initialize, 'tools/call': { body: { result: { structuredContent: { items: [{}, {}] } } } } })).toEqual({ version: '1.2.3', pools: 2 });
  });

  test.each([
    ['a status that is no success', { status: 403, body: { error: 'no' } }],
    ['an error of the protocol', { body: { error: { code: -32_000, message: 'no' } } }],
    ['an error of the tool', { body: { result: { isError: true, content: [] } } }],
    ['something that is no JSON', { type: 'text/html', body: '' }],
  ])('%s is a failure', async (_, answer) => {
    await expect(asked({ initialize, 'tools/call': answer })).rejects.toBeInstanceOf(ReleaseFailure);
  });
});
