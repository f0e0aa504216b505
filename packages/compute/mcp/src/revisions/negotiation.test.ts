import { expect, test } from 'vitest';
import { createComputeMcp } from '../index.ts';
import { ask, fakeCompute } from '../testing.ts';

const serve = (o: { protocolVersions?: string[]; instructions?: string } = {}) =>
  createComputeMcp({ baseURL: 'https://compute.example', fetch: fakeCompute().fetch, ...o });
const initialize = async (protocolVersion: unknown, o = {}) =>
  (await ask(serve(o), 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } })).body.result;

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('B170 B6 initialize agrees on %s when asked', async (version) => {
  expect((await initialize(version)).protocolVersion).toBe(version);
});

test.each(['2026-07-28', '2099-01-01', '2023-01-01', 'latest', '', 7, undefined])(
  'B170 asked for %j, initialize answers 2025-11-25 (against the seed, which says 2025-06-18)',
  async (version) => {
    expect((await initialize(version)).protocolVersion).toBe('2025-11-25');
  },
);

test('B169 tools.listChanged is false and nothing else is offered', async () => {
  expect((await initialize('2025-11-25')).capabilities).toEqual({ tools: { listChanged: false } });
});

test('compute§11.2 the server names itself in the members each revision knows', async () => {
  const members = async (version: string) => Object.keys((await initialize(version)).serverInfo as object);
  expect(await members('2024-11-05')).toEqual(['name', 'version']);
  expect(await members('2025-06-18')).toEqual(['name', 'title', 'version']);
  expect(await members('2025-11-25')).toEqual(['name', 'title', 'version', 'description']);
});

test('compute§11.2 later requests may name a version or none; one that is not spoken is 400', async () => {
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
    expect((await ask(serve(), 'ping', undefined, { headers: { 'mcp-protocol-version': version } })).status).toBe(200);
  expect((await ask(serve(), 'ping')).status).toBe(200);
  for (const version of ['2023-01-01', 'x', '2025-06-18, 2025-06-18', '2025-6-18']) {
    const { status, body } = await ask(serve(), 'ping', undefined, { headers: { 'mcp-protocol-version': version } });
    expect([status, body.id, body.error.code, body.error.data.requested]).toEqual([400, 1, -32022, version]);
  }
});

test('compute§11.1 protocolVersions narrows what is spoken', async () => {
  const narrow = { protocolVersions: ['2025-06-18', '2024-11-05'] };
  expect((await initialize('2025-11-25', narrow)).protocolVersion).toBe('2025-06-18');
  expect((await initialize('2024-11-05', narrow)).protocolVersion).toBe('2024-11-05');
  expect((await ask(serve(narrow), 'ping', undefined, { headers: { 'mcp-protocol-version': '2025-11-25' } })).status).toBe(400);
  expect((await ask(serve(narrow), 'ping')).status).toBe(200);
  const statelessOnly = serve({ protocolVersions: ['2026-07-28'] });
  expect(await ask(statelessOnly, 'initialize', { protocolVersion: '2025-06-18' })).toMatchObject({
    status: 400,
    body: { error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-06-18' } } },
  });
});

test('every revision lists the same tools', async () => {
  const of = async (version: string) => (await ask(serve(), 'tools/list', {}, { headers: { 'mcp-protocol-version': version } })).body.result;
  const first = await of('2024-11-05');
  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) expect(await of(version)).toEqual(first);
});

test('there is one page, so a cursor is -32602', async () => {
  expect((await ask(serve(), 'tools/list', { cursor: 'x' })).body.error.code).toBe(-32602);
});
