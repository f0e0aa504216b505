import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { iamErrors } from '@better-iam/core';
import { iamCodes, operations } from '@better-iam/contract';
import { publicOperations } from './api.ts';
import { draft, file, openWorld, PASSWORD, type World } from './test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.renew();
});
afterAll(() => world.close());

const ORIGIN = 'http://127.0.0.1:7070';
interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}
async function send(o: Sent): Promise<{ status: number; headers: Headers; body: any }> {
  const headers = { 'content-type': 'application/json', 'x-better-iam': '1', ...o.headers };
  const method = o.method ?? 'POST';
  const request = new Request(`${ORIGIN}/api/iam/${o.path ?? 'sts/getCallerIdentity'}`, {
    method,
    headers,
    ...(method === 'POST' ? { body: o.body ?? '{}' } : {}),
  });
  const response = await world.iam.handler(request);
  return { status: response.status, headers: response.headers, body: JSON.parse((await response.text()) || 'null') };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const credentials = { organization: 'acme', email: 'alex@acme.test', password: PASSWORD };

describe('the routes of IAM', () => {
  test('iam§6 success is 200 with data, and never cached', async () => {
    const answer = await send({ headers: bearer(world.alex.token) });
    expect(answer).toMatchObject({ status: 200, body: { data: { identityId: world.alex.id, sessionKind: 'user', format: 'opaque' } } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  test('iam§6 an empty body counts as {}', async () => {
    expect(await send({ headers: bearer(world.alex.token), body: '' })).toMatchObject({ status: 200 });
  });

  test('iam§6 anything but a group and a method of it is NOT_FOUND, names of the language included', async () => {
    for (const path of ['sts/nothing', 'nothing/get', 'constructor/name', 'sts/__proto__', 'sts', 'sts/getCallerIdentity/x', 'delegations/watch'])
      expect(await send({ path, headers: bearer(world.alex.token) })).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });

  test('iam§6 another verb is 405 with Allow', async () => {
    const answer = await send({ method: 'GET', headers: bearer(world.alex.token) });
    expect([answer.status, answer.headers.get('allow'), answer.body.error.code]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
  });

  test('iam§6 an unknown member is named, and the one that was meant', async () => {
    const answer = await send({ path: 'delegations/getConfirmation', headers: bearer(world.alex.token), body: JSON.stringify({ confirmationID: 'cnf_x' }) });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_INPUT', details: { path: 'confirmationID', suggestion: 'confirmationId' } } },
    });
  });

  test('iam§6 bodies with two readings are refused: twice a member, BOM, half a surrogate, NUL, too deep, not UTF-8, not an object', async () => {
    const deep = `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`;
    const bodies: (string | Uint8Array<ArrayBuffer>)[] = [
      '{"a":1,"a":2}',
      '\ufeff{}',
      '{"a":"\\ud800"}',
      '{"a":"\\u0000"}',
      deep,
      new Uint8Array([0x7b, 0xff, 0x7d]),
      '[]',
      '1',
      '{"a":',
    ];
    for (const body of bodies)
      expect(await send({ headers: bearer(world.alex.token), body })).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
  });

  test('iam§6 more than 64 KiB is PAYLOAD_TOO_LARGE', async () => {
    const body = JSON.stringify({ a: 'x'.repeat(65_536) });
    expect(await send({ headers: bearer(world.alex.token), body })).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
  });

  test('iam§6 a well-formed request id is echoed, any other replaced', async () => {
    expect((await send({ headers: { ...bearer(world.alex.token), 'x-request-id': 'r-1' } })).headers.get('x-request-id')).toBe('r-1');
    const minted = (await send({ headers: { ...bearer(world.alex.token), 'x-request-id': 'a b' } })).headers.get('x-request-id');
    expect(minted).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('iam§6 RATE_LIMITED says how long in whole seconds, rounded up', async () => {
    const attempt = () => send({ path: 'auth/signIn', body: JSON.stringify({ ...credentials, email: 'who@acme.test' }) });
    for (let i = 0; i < 10; i++) expect((await attempt()).status).toBe(401);
    const answer = await attempt();
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(answer.headers.get('retry-after')).toBe(String(Math.ceil(answer.body.error.retryAfterMs / 1000)));
  });

  test('iam§6 without a bearer the CSRF header and JSON are needed; with one a wrong content type is 415', async () => {
    for (const headers of [{ 'x-better-iam': '' }, { 'content-type': 'text/plain' }])
      expect(await send({ path: 'auth/signIn', headers, body: JSON.stringify(credentials) })).toMatchObject({
        status: 403,
        body: { error: { code: 'CSRF_REJECTED' } },
      });
    expect(await send({ headers: { ...bearer(world.alex.token), 'x-better-iam': '' } })).toMatchObject({ status: 200 });
    expect(await send({ headers: { ...bearer(world.alex.token), 'content-type': 'text/plain' } })).toMatchObject({
      status: 415,
      body: { error: { code: 'INVALID_REQUEST' } },
    });
  });

  test('iam§6 an origin that is not trusted is refused, whatever else is presented', async () => {
    expect(await send({ headers: { ...bearer(world.alex.token), origin: 'https://evil.example' } })).toMatchObject({
      status: 403,
      body: { error: { code: 'UNTRUSTED_ORIGIN' } },
    });
  });

  test('iam§6 openapi.json lists every operation, without a token', async () => {
    const answer = await send({ path: 'openapi.json', method: 'GET' });
    expect(answer).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
    expect(Object.keys(answer.body.paths)).toHaveLength(operations.length);
    expect(answer.body.paths['/api/iam/authorize']).toBeDefined();
  });

  test('iam§6 authorize and authorizeMany are routes without a group', async () => {
    const asked = { action: 'compute:pools:read', resource: { type: 'compute-pool', id: 'pool_none' } };
    expect(await send({ path: 'authorize', headers: bearer(world.alex.token), body: JSON.stringify(asked) })).toMatchObject({
      status: 200,
      body: { data: { allowed: false, reason: 'ACCESS_DENIED', matched: [] } },
    });
    expect(await send({ path: 'authorizeMany', headers: bearer(world.alex.token), body: JSON.stringify({ checks: [asked] }) })).toMatchObject({
      body: { data: { results: [{ ...asked, allowed: false }] } },
    });
  });

  test('iam§7 every code of the contract has the status of the core', () => {
    for (const [code, status] of Object.entries(iamCodes)) expect(iamErrors[code as keyof typeof iamErrors]?.status, code).toBe(status);
  });

  test('iam§8.2 what the contract calls public is what the API takes without a credential', () => {
    expect(operations.filter((op) => op.isPublic).map((op) => op.id)).toEqual([...publicOperations]);
  });
});

describe('presenting a credential', () => {
  test('iam§3.2 rules 2 and 3: a second credential, a comma, another scheme or anything after the token is 401', async () => {
    const { token } = world.alex;
    for (const authorization of [`Bearer ${token}, Bearer ${token}`, `Basic ${token}`, `Bearer ${token} x`, `Bearer  `, token, `Bearer ${'a'.repeat(5000)}`])
      expect(await send({ headers: { authorization } })).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
    expect(await send({ headers: { authorization: `bEaReR   ${token}` } })).toMatchObject({ status: 200 });
  });

  test('iam§3.2 rule 1: no credential at all is 401', async () => {
    expect(await send({})).toMatchObject({ status: 401 });
  });

  test('iam§3.2 rule 4: a token that fails its checksum is 401 without a look-up', async () => {
    const broken = `${world.alex.token.slice(0, -1)}${world.alex.token.endsWith('A') ? 'B' : 'A'}`;
    expect(await send({ headers: bearer(broken) })).toMatchObject({ status: 401 });
  });

  test('iam§3.2 rule 5: a bad bearer is never made good by a cookie', async () => {
    const headers = { authorization: 'Bearer nonsense', cookie: `better-iam.session=${world.alex.token}`, origin: ORIGIN };
    expect(await send({ headers })).toMatchObject({ status: 401 });
  });

  test('iam§3.2 a browser that signs in gets an HttpOnly cookie, which then identifies it with an Origin, and signing out takes it away', async () => {
    const signedIn = await send({ path: 'auth/signIn', headers: { origin: ORIGIN }, body: JSON.stringify(credentials) });
    const cookie = signedIn.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^better-iam\.session=biam_ses_[A-Za-z0-9_-]{49}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const pair = cookie.split(';')[0]!;
    expect(await send({ headers: { cookie: pair, origin: ORIGIN } })).toMatchObject({ status: 200, body: { data: { identityId: world.alex.id } } });
    expect(await send({ headers: { cookie: pair } })).toMatchObject({ status: 403, body: { error: { code: 'CSRF_REJECTED' } } });
    const out = await send({ path: 'auth/signOut', headers: { cookie: pair, origin: ORIGIN } });
    expect(out.headers.get('set-cookie')).toMatch(/^better-iam\.session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    expect(await send({ headers: { cookie: pair, origin: ORIGIN } })).toMatchObject({ status: 401 });
  });

  test('iam§3.2 a program that signs in gets no cookie', async () => {
    expect((await send({ path: 'auth/signIn', body: JSON.stringify(credentials) })).headers.get('set-cookie')).toBeNull();
  });

  test('iam§6 a stream answers events; the confirmations of others are not among them', async () => {
    const aborted = new AbortController();
    const open = (token: string) =>
      world.iam.handler(
        new Request(`${ORIGIN}/api/iam/delegations/watchConfirmations`, {
          method: 'POST',
          headers: { ...bearer(token), 'content-type': 'application/json' },
          body: '{}',
          signal: aborted.signal,
        }),
      );
    const response = await open(world.alex.token);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const id = await file(world, await world.assume(), draft(world.tenantId, 'drf_s'));
    let text = '';
    while (!text.includes('data:')) text += (await reader.read()).value;
    expect(JSON.parse(text.slice(text.indexOf('data:') + 5).split('\n')[0]!)).toMatchObject({ id, status: 'pending' });
    await reader.cancel();
    aborted.abort();
  });
});
