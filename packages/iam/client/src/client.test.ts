import { describe, expect, test } from 'vitest';
import { createIamClient } from './index.ts';

interface Seen {
  url: string;
  headers: Headers;
  body: unknown;
}

function recording(answer: (request: Request) => Response = () => Response.json({ data: { ok: true } })) {
  const seen: Seen[] = [];
  return {
    seen,
    fetch: async (request: Request) => {
      seen.push({ url: request.url, headers: request.headers, body: await request.clone().json() });
      return answer(request);
    },
  };
}

describe('createIamClient', () => {
  test('iam§8.4 a grouped method, a method without a group and one without input each go to their route', async () => {
    const { seen, fetch } = recording();
    const iam = createIamClient({ baseURL: 'https://iam.example.com/', fetch });
    await iam.delegations.getConfirmation({ confirmationId: 'cnf_x' });
    await iam.authorize({ action: 'a:b', resource: { type: 't', id: 'i' } });
    await iam.sts.getCallerIdentity({ headers: { 'x-request-id': 'r1' } });
    await iam.listAccessible({ action: 'a:b', type: 't', limit: 5 });
    await iam.authorizeMany({ checks: [{ action: 'a:b', resource: { type: 't', id: 'i' } }] });
    await iam.$request('tenants/get', {});
    expect(seen.map((s) => [s.url, s.body])).toEqual([
      ['https://iam.example.com/api/iam/delegations/getConfirmation', { confirmationId: 'cnf_x' }],
      ['https://iam.example.com/api/iam/authorize', { action: 'a:b', resource: { type: 't', id: 'i' } }],
      ['https://iam.example.com/api/iam/sts/getCallerIdentity', {}],
      ['https://iam.example.com/api/iam/listAccessible', { action: 'a:b', type: 't', limit: 5 }],
      ['https://iam.example.com/api/iam/authorizeMany', { checks: [{ action: 'a:b', resource: { type: 't', id: 'i' } }] }],
      ['https://iam.example.com/api/iam/tenants/get', {}],
    ]);
    expect(seen[2]?.headers.get('x-request-id')).toBe('r1');
    expect(seen[0]?.headers.get('x-better-iam')).toBe('1');
  });

  test('iam§8.4 an authorization header given with a call beats the configured token', async () => {
    const { seen, fetch } = recording();
    const iam = createIamClient({ baseURL: 'https://iam.example.com', token: 'configured', fetch });
    await iam.authorize({ action: 'a:b', resource: { type: 't', id: 'i' } });
    await iam.authorize({ action: 'a:b', resource: { type: 't', id: 'i' } }, { headers: { authorization: 'Bearer callers-own' } });
    expect(seen.map((s) => s.headers.get('authorization'))).toEqual(['Bearer configured', 'Bearer callers-own']);
  });

  test('iam§8.4 names of the language never become routes, so a client may be returned from an async function', async () => {
    const { seen, fetch } = recording();
    const iam = createIamClient({ baseURL: 'https://iam.example.com', fetch });
    const awaited = await Promise.resolve(iam);
    const loose = awaited as unknown as Record<string | symbol, unknown>;
    for (const name of ['then', 'constructor', '__proto__', 'prototype', 'toJSON', Symbol.iterator]) expect(loose[name]).toBeUndefined();
    expect((loose.delegations as Record<string, unknown>).then).toBeUndefined();
    expect((loose.delegations as Record<string, unknown>)['../x']).toBeUndefined();
    expect(seen).toEqual([]);
  });

  test('iam§8.4 a method of a newer server can be called all the same', async () => {
    const { seen, fetch } = recording();
    const iam = createIamClient({ baseURL: 'https://iam.example.com', fetch }) as unknown as { passkeys: { list(input: unknown): Promise<unknown> } };
    await iam.passkeys.list({ a: 1 });
    expect(seen[0]?.url).toBe('https://iam.example.com/api/iam/passkeys/list');
  });

  test('iam§8.4 a refusal keeps its code, status and retry time; anything but JSON is HTTP_ERROR', async () => {
    const limited = createIamClient({
      baseURL: 'https://iam.example.com',
      fetch: async () => Response.json({ error: { code: 'RATE_LIMITED', message: 'slow', retryAfterMs: 5 } }, { status: 429 }),
    });
    await expect(limited.auth.signIn({ email: 'a@b.c', password: 'x' })).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterMs: 5 });
    const broken = createIamClient({ baseURL: 'https://iam.example.com', fetch: async () => new Response('<html>', { status: 502 }) });
    await expect(broken.sts.getCallerIdentity()).rejects.toMatchObject({ code: 'HTTP_ERROR', status: 502 });
  });

  test('iam§8.4 a token no header could carry is refused before any call', () => {
    expect(() => createIamClient({ baseURL: 'https://iam.example.com', token: 'a b' })).toThrow(expect.objectContaining({ code: 'INVALID_TOKEN' }));
    expect(() => createIamClient({ baseURL: 'iam.example.com' })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});
