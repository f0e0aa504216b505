import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, PASSWORD, type World } from './test-support/world.ts';

let world: World;
let server: Server;
let port: number;
const { Request: ownRequest, Response: ownResponse } = globalThis;
beforeAll(async () => {
  world = await openWorld();
  await world.renew();
  server = createServer((incoming, outgoing) => void world.iam.nodeHandler(incoming, outgoing));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await world.close();
});

const { origin } = new URL('http://127.0.0.1:7070');
const send = (path: string, headers: Record<string, string>, body: unknown = {}) =>
  fetch(`http://127.0.0.1:${port}${world.iam.endpoint.basePath}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-better-iam': '1', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('iam§8.2 nodeHandler serves the routes to a server of node:http as handler does, cookies and streams included', async () => {
  const entered = await send('auth/signIn', { origin }, { organization: 'acme', email: 'alex@acme.test', password: PASSWORD });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  expect(cookie.split('=')[0]).toBe(world.iam.endpoint.cookie.name);
  expect(await (await send('sts/getCallerIdentity', { cookie, origin })).json()).toMatchObject({ data: { identityId: world.alex.id } });
  expect((await send('sts/getCallerIdentity', {})).status).toBe(401);
  expect((await send('sts/getCallerIdentity', { cookie, origin }, 'x'.repeat(65_537))).status).toBe(413);
  expect((await fetch(`http://127.0.0.1:${port}/api/iam/openapi.json`)).status).toBe(200);
  const aborting = new AbortController();
  const stream = await fetch(`http://127.0.0.1:${port}/api/iam/delegations/watchConfirmations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.alex.token}` },
    body: '{}',
    signal: aborting.signal,
  });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  expect(new TextDecoder().decode((await stream.body!.getReader().read()).value)).toContain(': open');
  aborting.abort();
});

test('iam§8.2 iam§25 it refuses two Authorization fields, which Fetch would fold into one', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `POST /api/iam/sts/getCallerIdentity HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nAuthorization: Bearer ${world.alex.token}\r\nAuthorization: Bearer x\r\n\r\n`,
      ),
    );
    socket.once('data', (chunk) => {
      resolve(chunk.toString());
      socket.destroy();
    });
    socket.once('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

test('iam§8.2 the process it runs in keeps its own Request and Response', () => {
  expect([globalThis.Request, globalThis.Response]).toEqual([ownRequest, ownResponse]);
});
