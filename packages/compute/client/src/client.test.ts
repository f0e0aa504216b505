import { expect, test } from 'vitest';
import { ClientError, createComputeClient } from './index.ts';

/** A server that answers with what it was sent. */
const seen: { path: string; body: Record<string, unknown>; authorization: string | null }[] = [];
const client = createComputeClient({
  baseURL: 'https://compute.test/',
  token: 'own',
  fetch: async (request) => {
    const body = (await request.json()) as Record<string, unknown>;
    seen.push({ path: new URL(request.url).pathname, body, authorization: request.headers.get('authorization') });
    return Response.json({ data: {} });
  },
});
const last = () => seen.at(-1)!;

test('compute§2.3 the client mints a key where the contract says so, and nowhere else', async () => {
  await client.reservations.create({ poolId: 'pool_a', requests: [{ class: 'gpu', count: 1 }], duration: '1h' });
  expect(last()).toMatchObject({ path: '/api/compute/reservations/create', body: { idempotencyKey: expect.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/) } });
  await client.reservations.extend({ reservationId: 'rsv_a', by: '1h', idempotencyKey: 'mine' });
  expect(last().body).toEqual({ reservationId: 'rsv_a', by: '1h', idempotencyKey: 'mine' });
  await client.reservations.release({ reservationId: 'rsv_a' });
  expect(last()).toMatchObject({ path: '/api/compute/reservations/release', body: { reservationId: 'rsv_a' } });
  expect(Object.keys(last().body)).toEqual(['reservationId']);
});

test('B4 B34 a caller’s own authorization beats the configured one', async () => {
  await client.pools.list({}, { headers: { authorization: 'Bearer theirs' } });
  expect(last()).toMatchObject({ path: '/api/compute/pools/list', authorization: 'Bearer theirs' });
});

test('compute§2.1 an address that is none is INVALID_CONFIG', () => {
  expect(() => createComputeClient({ baseURL: 'compute.test' })).toThrow(ClientError);
});
