import { request as httpRequest } from 'node:http';
import { computeMcpEndpoint, gateTools } from '@better-compute/mcp';
import { createMcpGate } from '@better-iam/mcp';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { defineHost } from '../apps/better-compute/src/host/mounts.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';

/** Not publicUrl's: only the gate knows of it. */
const PAGE = 'https://console.example.com';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
  await d.mount(
    defineHost(({ compute, iam }) => ({
      mcp: {
        handler: computeMcpEndpoint({
          compute,
          delegations: iam.api.delegations,
          maxConcurrentCallsPerCaller: 1,
          gate: createMcpGate({ iam, tenantId: d.alice.tenantId, tools: gateTools(), unlisted: 'deny', confirmations: false, allowedOrigins: [PAGE] }),
        }).handler,
      },
    })),
  );
});
afterAll(() => d.stop());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** As it goes over a socket: fetch makes no TRACE and hides what a HEAD is. */
function send(method: string, headers: Record<string, string> = {}, o: { path?: string; body?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(new URL(o.path ?? '/mcp', d.plane.url), { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.once('error', reject);
    sent.end(o.body);
  });
}

const bearer = () => ({ authorization: `Bearer ${d.agentToken}` });
const ping = { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
const json = { 'content-type': 'application/json' };

describe('compute§10 compute§11.2 an endpoint as a client meets it on the wire', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'TRACE'])('B145 %s is 401 without a credential, 405 with one', async (method) => {
    const stranger = await send(method);
    expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const known = await send(method, bearer());
    expect([known.status, known.headers.allow, known.text]).toEqual([405, 'POST', '']);
  });

  test('OPTIONS is answered by the list of the gate alone, before any credential', async () => {
    const wanted = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization, mcp-method' };
    for (const path of ['/mcp', '/mcp/']) {
      const allowed = await send('OPTIONS', { origin: PAGE, ...wanted }, { path });
      expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([204, PAGE]);
      expect(allowed.headers['access-control-allow-headers']).toMatch(/authorization.*mcp-method/);
    }
    for (const origin of [{ origin: d.plane.url }, { origin: 'https://evil.example' }, {}]) {
      const refused = await send('OPTIONS', { ...origin, ...wanted });
      expect([refused.status, refused.headers.allow, refused.headers['access-control-allow-origin']]).toEqual([405, 'POST', undefined]);
    }
  });

  test('a page that was told it may call can call and read the answer; another is refused', async () => {
    const answer = await send('POST', { ...bearer(), ...json, origin: PAGE }, ping);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, PAGE]);
    const challenged = await send('POST', { ...json, origin: PAGE }, ping);
    expect([challenged.status, challenged.headers['access-control-expose-headers']]).toEqual([401, expect.stringContaining('www-authenticate')]);
    expect((await send('POST', { ...bearer(), ...json, origin: d.plane.url }, ping)).status).toBe(403);
  });

  test('iam§19.2 two Authorization fields are a bad credential, challenged like any', async () => {
    const answer = await new Promise<{ status: number | undefined; challenge: string | undefined }>((resolve, reject) => {
      const sent = httpRequest(new URL('/mcp', d.plane.url), { method: 'POST', headers: json, agent: false }, (response) =>
        resolve({ status: response.statusCode, challenge: response.resume().headers['www-authenticate'] }),
      );
      sent.setHeader('authorization', [bearer().authorization, bearer().authorization]);
      sent.once('error', reject);
      sent.end(ping.body);
    });
    expect(answer).toEqual({ status: 401, challenge: 'Bearer error="invalid_token"' });
  });

  test('/mcp/ is /mcp, whatever comes with it; nothing else is', async () => {
    for (const path of ['/mcp', '/mcp/', '/mcp?a=b']) expect((await send('POST', { ...bearer(), ...json }, { ...ping, path })).status).toBe(200);
    for (const path of ['/mcp//', '/MCP', '/mcp/x']) expect((await send('POST', { ...bearer(), ...json }, { ...ping, path })).status).toBe(404);
  });

  test('compute§11.2 B161 a client that hangs up ends its waiting: its place is free, what it asked for is still to be decided, and its key finds it', async () => {
    const call = (name: string, args: object) => ({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }) });
    const ask = async (name: string, args: object) =>
      JSON.parse((await send('POST', { ...bearer(), ...json }, call(name, args))).text).result.structuredContent as Record<string, any>;
    const reserve = { poolId: d.poolId, gpus: 1, duration: '1h', idempotencyKey: 'hung-up', waitSeconds: 0 };
    const waiting = httpRequest(new URL('/mcp', d.plane.url), { method: 'POST', headers: { ...bearer(), ...json }, agent: false });
    waiting.on('error', () => {});
    waiting.end(call('reserve_gpus', reserve).body);
    const pending = async () => (await d.plane.iam.api.delegations.listConfirmations({ token: d.alice.token }, {})).items;
    await vi.waitFor(async () => expect(await pending()).toHaveLength(1), { timeout: 60_000 });
    expect((await ask('list_pools', {})).error).toMatchObject({ code: 'RATE_LIMITED' });
    waiting.destroy();
    await vi.waitFor(async () => expect(await ask('list_pools', {})).toHaveProperty('items'), { timeout: 60_000 });
    const confirmationId = (await pending())[0]!.id;
    await d.plane.iam.api.delegations.decideConfirmation({ token: d.alice.token }, { confirmationId, approve: true });
    expect(await ask('reserve_gpus', reserve)).toMatchObject({ idempotencyKey: 'hung-up', reservation: { id: expect.stringMatching(/^rsv_/) } });
  });

  // what clients try that were told 401: anything but a 404 with JSON stops them (or makes them believe there is a way to sign in)
  test.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/register'])(
    'iam§19.3 without metadata %s is 404, with a body that is JSON where the host answers',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await send(method, {}, { path });
        expect(answer.status).toBe(404);
        if (answer.text !== '') expect(JSON.parse(answer.text)).toBeTypeOf('object');
      }
    },
  );

  test('clients that can sign in, and are told 401 here, show their person what to do', async () => {
    const authProvider = {
      redirectUrl: 'http://127.0.0.1:9/callback',
      clientMetadata: { redirect_uris: ['http://127.0.0.1:9/callback'] },
      clientInformation: () => undefined,
      saveClientInformation() {},
      tokens: () => undefined,
      saveTokens() {},
      redirectToAuthorization() {},
      saveCodeVerifier() {},
      codeVerifier: () => 'v',
    };
    const url = new URL('/mcp', d.plane.url);
    const told = /Get a new token from whoever runs it/;
    await expect(new ClientV1({ name: 'v1', version: '1' }).connect(new TransportV1(url, { authProvider }) as never)).rejects.toThrow(told);
    await expect(new ClientV2({ name: 'v2', version: '1' }).connect(new TransportV2(url, { authProvider }))).rejects.toThrow(told);
  });
});
