import { createRateLimiter, type AccessLine } from '@kit/http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignals } from './confirmations/signals.ts';
import { createHandlers } from './handlers.ts';
import { openWorld, type World } from './test-support/world.ts';

let world: World;
const lines: AccessLine[] = [];
beforeAll(async () => {
  world = await openWorld();
  await world.renew();
});
afterAll(() => world.close());

const connect = (rate: number): void =>
  world.iam.connect({
    permissions: { actions: [], resourceTypes: {} },
    resolveResource: () => undefined,
    host: { access: (line) => lines.push(line), rate: createRateLimiter(rate), http: { clientInfo: () => ({ ip: '10.0.0.1' }) } },
  });
const send = async (id: string, token: string, input: object = {}): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = new Request(`http://127.0.0.1:7070/api/iam/${id.replace('.', '/')}`, { method: 'POST', headers, body: JSON.stringify(input) });
  const response = await world.iam.handler(request);
  await response.body?.cancel();
  return response.status;
};

const pool = { type: 'compute-pool', id: 'pool_1' };
const asked = { action: 'compute:pools:read', resource: pool };
/** An input each handler that takes care of its own credential gets far enough with to know its caller. */
const inputs: Record<string, object> = {
  authorize: { tenantId: '', ...asked },
  authorizeMany: { tenantId: '', checks: [asked] },
  listAccessible: { action: asked.action, type: pool.type },
  'access.explain': asked,
  'auth.reauthenticate': { password: 'not the password' },
  'delegations.requestConfirmation': { ...asked, reason: 'because' },
  'delegations.watchConfirmations': {},
};
/** By the challenge of a sign-in: the token that comes with it may be anything. */
const BY_CHALLENGE = ['auth.beginMfa', 'auth.confirmMfa'];

test('product§8 every operation that asks who calls tells the access log, also where it refuses them', async () => {
  connect(1_000);
  const handlers = createHandlers(createSignals(world.iam.store));
  const free = Object.entries(handlers).flatMap(([id, handler]) => ('isFree' in handler && !BY_CHALLENGE.includes(id) ? [id] : []));
  expect(free.toSorted()).toEqual(Object.keys(inputs).toSorted());
  for (const id of [...free, 'sts.getCallerIdentity']) {
    const input = inputs[id] ?? {};
    await send(id, world.alex.token, 'tenantId' in input ? { ...input, tenantId: world.tenantId } : input);
    expect(lines.at(-1)).toMatchObject({ operation: id, principalId: world.alex.id, tenantId: world.tenantId });
  }
});

test('product§8 made-up tokens use up their address, and whoever is known by then goes on', async () => {
  connect(3);
  const madeUp = (n: number) => world.alex.token.slice(0, 20) + String(n).padStart(world.alex.token.length - 20, 'x');
  expect(await send('sts.getCallerIdentity', world.alex.token)).toBe(200);
  const seen: number[] = [];
  for (let n = 0; n < 4; n++) seen.push(await send('sts.getCallerIdentity', madeUp(n)));
  expect(seen).toEqual([401, 401, 429, 429]);
  expect(await send('sts.getCallerIdentity', world.alex.token)).toBe(200);
});
