import { userAgentOf, tools } from '@better-compute/contract';
import { ApiError } from '@kit/operation';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { TENANT, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let agent: TestClient;
/** Of each test its own: pool, person, delegation. */
let pool: string;
let person: string;
let turn = 0;
const HOLDS = ['compute:reservations:create', 'compute:reservations:extend', 'compute:reservations:release'];
const MINUTE_MS = 60_000;

const delegated = (more: object = {}) => ({
  identityId: person,
  agentId: 'agent_1',
  delegationId: `dlg_${turn}`,
  sessionKind: 'delegated' as const,
  holds: new Set(HOLDS),
  ...more,
});

beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  plane.iam.filingRefusal = undefined;
  pool = `pool_${++turn}`;
  person = `usr_${turn}`;
  await plane.pool({ id: pool });
  await plane.nodes(1, { poolId: pool, labels: { zone: 'a' } });
  agent = plane.as(delegated());
});

const ask = (more: object = {}) => ({ poolId: pool, requests: [{ class: 'gpu' as const, count: 2, model: 'H100' }], duration: '8h', ...more });
const held = async (call: Promise<unknown>): Promise<string> => {
  const refusal = await refusalFrom(call);
  expect([refusal.code, refusal.status]).toEqual(['CONFIRMATION_REQUIRED', 403]);
  return refusal.details.confirmationId;
};
const filed = async () => (await plane.iam.confirmations()).filter((one) => one.delegationId === `dlg_${turn}`);
const audited = async () => (await plane.iam.audit()).filter((entry) => entry.by === person);
const count = async (table: 'draft' | 'idempotency' | 'reservation'): Promise<number> => {
  const owner = table === 'reservation' ? 'owner_id' : 'subject_id';
  return (await plane.database.one<{ n: number }>(`select count(*) as n from compute.${table} where ${owner} = $1`, [person]))!.n;
};

describe('a held request', () => {
  test('B147 iam§18 says what a person must approve, where and until when, and stores a draft', async () => {
    const refusal = await refusalFrom(agent.reservations.create(ask({ idempotencyKey: 'k', note: 'for the demo' })));
    const [request] = await filed();
    expect(refusal.details).toEqual({
      confirmationId: request!.id,
      expiresAt: plane.now() + 30 * MINUTE_MS,
      summary: 'Reserve 2 × H100 in pool "H100 Frankfurt" for 8h, with 16 vCPU and 128 GiB of host memory.',
      approvalUrl: `https://compute.test/approvals/${request!.id}`,
    });
    expect(request).toMatchObject({ action: 'compute:reservations:create', reason: 'requested through the API', note: 'for the demo' });
    expect(await count('draft')).toBe(1);
    expect(await count('reservation')).toBe(0);
  });

  test('B137 B164 is decided on a draft of the real type with every argument in its attributes and its binding', async () => {
    await held(
      agent.reservations.create(
        ask({ resources: { vcpu: 7 }, requests: [{ class: 'gpu', count: 2, nvlink: true, selector: [{ key: 'zone', op: 'Exists' }] }] }),
      ),
    );
    const { resource } = (await filed())[0]!;
    expect(resource).toMatchObject({ tenantId: TENANT, type: 'compute-reservation', ownerId: person });
    expect(resource.id).toMatch(/^drf_/);
    expect(resource.attributes).toMatchObject({ poolId: pool, gpus: 2, nvlink: true, binding: 'hold', durationSeconds: 28_800, gpuHours: 16, spot: false });
    const { binding, facts } = resource.confirmation!;
    expect(binding).toMatchObject({
      operation: 'reservations.create',
      input: { poolId: pool, duration: '8h', binding: 'hold', wholeNodes: false, spot: false, resources: { vcpu: 7 } },
      frozen: { resources: { vcpu: 7, memoryGiB: 128 } },
    });
    expect(JSON.stringify(binding)).not.toContain('drf_');
    expect(facts!.map((fact) => fact.label)).toEqual(['What', 'GPUs', 'Where', 'From', 'How long', 'Cost', 'Host share', 'Only where']);
    expect(await plane.compute.resolveResource({ tenantId: TENANT, type: 'compute-reservation', id: resource.id })).toEqual(resource);
  });

  test('B150 iam§18 the same key reaches the same draft, and after the approval it is placed exactly once', async () => {
    const call = () => agent.reservations.create(ask({ idempotencyKey: 'k' }));
    const id = await held(call());
    expect(await held(call())).toBe(id);
    await plane.iam.decide(id, 'approved');
    const { reservation } = await call();
    expect(reservation).toMatchObject({ state: 'active', ownerId: person, agentId: 'agent_1', delegationId: `dlg_${turn}` });
    expect((await call()).reservation.id).toBe(reservation.id);
    expect(await count('reservation')).toBe(1);
    const allowed = (await audited()).filter((entry) => entry.outcome === 'allow' && entry.action === 'compute:reservations:create');
    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({ resourceId: reservation.id, metadata: { operation: 'reservations.create', confirmationId: id } });
  });

  test('iam§17.4 twenty retries at once after one approval place one reservation', async () => {
    const call = () => agent.reservations.create(ask({ idempotencyKey: 'k' }));
    await plane.iam.decide(await held(call()), 'approved');
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await call()).reservation.id));
    expect(new Set(ids).size).toBe(1);
    expect(await count('reservation')).toBe(1);
  });

  test('iam§18 an approval of A does not admit B: other input under the key is a CONFLICT, under another key held again', async () => {
    const id = await held(agent.reservations.create(ask({ idempotencyKey: 'k' })));
    await plane.iam.decide(id, 'approved');
    expect(await codeOf(agent.reservations.create(ask({ idempotencyKey: 'k', duration: '9h' })))).toBe('CONFLICT');
    expect(await held(agent.reservations.create(ask({ idempotencyKey: 'k2', duration: '9h' })))).not.toBe(id);
    expect(await held(agent.reservations.create(ask({ idempotencyKey: 'k3' })))).not.toBe(id);
  });

  test('iam§17.9 one request in several spellings is alike, each under an approval of its own', async () => {
    for (const more of [{}, { duration: '480m' }, { duration: '28800s', resources: { vcpu: 16 } }]) await held(agent.reservations.create(ask(more)));
    await held(agent.reservations.create(ask({ duration: '481m' })));
    const cards = (await filed()).map(({ resource }) => resource.confirmation!);
    const likes = cards.map(({ likeness }) => JSON.stringify(likeness));
    expect([likes[1], likes[2], likes[3] === likes[0]]).toEqual([likes[0], likes[0], false]);
    expect(new Set(cards.map(({ binding }) => JSON.stringify(binding))).size).toBe(4);
  });

  test('B159 iam§18 after a rejection the same key files a new request for the same draft', async () => {
    const call = () => agent.reservations.create(ask({ idempotencyKey: 'k' }));
    const first = await held(call());
    await plane.iam.decide(first, 'rejected');
    const second = await held(call());
    expect(second).not.toBe(first);
    const [a, b] = await filed();
    expect(a!.resource.id).toBe(b!.resource.id);
    expect(await count('draft')).toBe(1);
  });

  test('compute§3.4 iam§18 when its approval can no longer be used the key answers CONFLICT, expired-draft', async () => {
    const call = () => agent.reservations.create(ask({ idempotencyKey: 'k' }));
    await held(call());
    plane.advance(90 * MINUTE_MS - 1);
    await held(call());
    plane.advance(90 * MINUTE_MS);
    expect((await refusalFrom(call())).details).toEqual({ reason: 'expired-draft' });
    expect((await refusalFrom(call())).details).toEqual({ reason: 'expired-draft' });
    await held(agent.reservations.create(ask({ idempotencyKey: 'k2' })));
  });

  test('iam§18 a pool that changed its defaults meanwhile changes nothing of what was approved', async () => {
    const call = () => agent.reservations.create(ask({ idempotencyKey: 'k' }));
    const id = await held(call());
    await plane.pool({ id: pool, defaults: { vcpuPerGpu: 1, memoryGiBPerGpu: 1 } });
    await plane.iam.decide(id, 'approved');
    expect((await call()).reservation.request.resources).toEqual({ vcpu: 16, memoryGiB: 128 });
  });

  test('iam§18 when filing fails that failure is the answer and nothing is stored', async () => {
    plane.iam.filingRefusal = new ApiError('RATE_LIMITED', 429, 'too many', { retryAfterMs: 1_000, details: { reason: 'filing-budget' } });
    const refusal = await refusalFrom(agent.reservations.create(ask({ idempotencyKey: 'k' })));
    expect([refusal.code, refusal.details.reason]).toEqual(['RATE_LIMITED', 'filing-budget']);
    expect(await count('draft')).toBe(0);
    expect(await count('idempotency')).toBe(0);
  });

  test('compute§3.4 iam§18 a denied caller leaves no draft and no key, only its denial', async () => {
    const denied = plane.as(delegated({ denies: new Set(['compute:reservations:create']) }));
    expect(await codeOf(denied.reservations.create(ask({ idempotencyKey: 'k' })))).toBe('ACCESS_DENIED');
    expect([await count('draft'), await count('idempotency')]).toEqual([0, 0]);
    expect((await audited()).filter((entry) => entry.outcome === 'deny').map((entry) => entry.action)).toEqual(['compute:reservations:create']);
    expect(await filed()).toEqual([]);
  });

  test('compute§3.4 what can never fit is refused before anybody is asked', async () => {
    expect(await codeOf(agent.reservations.create(ask({ requests: [{ class: 'gpu', count: 9 }] })))).toBe('NEVER_FITS');
    expect(await filed()).toEqual([]);
  });

  test('compute§3.4 the reason names the tool the call came through, and only a tool there is', async () => {
    const reserve = tools.find((tool) => tool.entry.name === 'reserve_gpus')!;
    await held(agent.reservations.create(ask({ idempotencyKey: 'k1' }), { headers: { 'user-agent': userAgentOf(reserve) } }));
    await held(agent.reservations.create(ask({ idempotencyKey: 'k2' }), { headers: { 'user-agent': 'better-compute-mcp/your bank' } }));
    expect((await filed()).map((one) => one.reason)).toEqual(['requested through reserve_gpus', 'requested through the API']);
  });
});

describe('a spent approval whose effect was refused', () => {
  test('iam§18 compute§3.4 is retried without asking again, until the approval would have lapsed, and gives one object', async () => {
    const blocker = await plane.as({ identityId: 'usr_bob' }).reservations.create(ask({ requests: [{ class: 'gpu', count: 7 }] }));
    const call = () => agent.reservations.create(ask({ idempotencyKey: 'k' }));
    await plane.iam.decide(await held(call()), 'approved');
    expect(await codeOf(call())).toBe('NO_CAPACITY');
    expect(await codeOf(call())).toBe('NO_CAPACITY');
    expect((await filed()).map((one) => one.status)).toEqual(['used']);
    await plane.as({ identityId: 'usr_bob' }).reservations.release({ reservationId: blocker.reservation.id });
    const { reservation } = await call();
    expect(reservation.state).toBe('active');
    expect((await call()).reservation.id).toBe(reservation.id);
    expect(await filed()).toHaveLength(1);
  });

  test('iam§18 after the approval would have lapsed the key is an expired draft', async () => {
    await plane.as({ identityId: 'usr_bob' }).reservations.create(ask({ requests: [{ class: 'gpu', count: 7 }] }));
    const call = () => agent.reservations.create(ask({ idempotencyKey: 'k' }));
    await plane.iam.decide(await held(call()), 'approved');
    expect(await codeOf(call())).toBe('NO_CAPACITY');
    plane.advance(60 * MINUTE_MS + 1);
    expect((await refusalFrom(call())).details).toEqual({ reason: 'expired-draft' });
  });

  test("iam§18 the person's permissions are asked again: whoever lost them is denied although the approval was spent", async () => {
    const denies = new Set<string>();
    const losing = plane.as(delegated({ denies }));
    await plane.as({ identityId: 'usr_bob' }).reservations.create(ask({ requests: [{ class: 'gpu', count: 7 }] }));
    const call = () => losing.reservations.create(ask({ idempotencyKey: 'k' }));
    await plane.iam.decide(await held(call()), 'approved');
    expect(await codeOf(call())).toBe('NO_CAPACITY');
    denies.add('compute:reservations:create');
    expect(await codeOf(call())).toBe('ACCESS_DENIED');
  });
});

describe('without a key', () => {
  test('iam§18 compute§3.4 the unfinished draft is found by its digest, and the effect closes it', async () => {
    // the client mints a key where the contract says so: these calls go past it
    const keyless = () => plane.compute.handler(requestOf('reservations/create', ask()));
    const first = (await (await keyless()).json()) as { error: { code: string; details: { confirmationId: string } } };
    const again = (await (await keyless()).json()) as typeof first;
    expect(again.error.details.confirmationId).toBe(first.error.details.confirmationId);
    await plane.iam.decide(first.error.details.confirmationId, 'approved');
    expect(((await (await keyless()).json()) as { data: { reservation: { state: string } } }).data.reservation.state).toBe('active');
    const third = (await (await keyless()).json()) as typeof first;
    expect(third.error.code).toBe('CONFIRMATION_REQUIRED');
    expect(third.error.details.confirmationId).not.toBe(first.error.details.confirmationId);
  });

  test('compute§3.4 a verb without parameters is decided on its object, bound to operation and input', async () => {
    const { reservation } = await plane.as({ identityId: person }).reservations.create(ask());
    const release = () => agent.reservations.release({ reservationId: reservation.id });
    const id = await held(release());
    expect(await held(release())).toBe(id);
    const { resource } = (await filed())[0]!;
    expect(resource).toMatchObject({
      id: reservation.id,
      confirmation: { binding: { operation: 'reservations.release', input: { reservationId: reservation.id } } },
    });
    await plane.iam.decide(id, 'approved');
    expect((await release()).reservation.state).toBe('released');
  });

  test('compute§3.4 a verb whose object is already in the asked end state asks nobody', async () => {
    const ann = plane.as({ identityId: person });
    const { reservation } = await ann.reservations.create(ask());
    await ann.reservations.release({ reservationId: reservation.id });
    expect((await agent.reservations.release({ reservationId: reservation.id })).reservation.state).toBe('released');
    expect(await filed()).toEqual([]);
    expect(
      await codeOf(plane.as({ identityId: person, denies: new Set(['compute:reservations:read']) }).reservations.release({ reservationId: reservation.id })),
    ).toBe('NOT_FOUND');
  });
});

test('iam§18 an extension has a draft of its own: an approval of 30 minutes does not admit 3 days', async () => {
  const { reservation } = await plane.as({ identityId: person }).reservations.create(ask());
  const extend = (by: string, idempotencyKey: string) => agent.reservations.extend({ reservationId: reservation.id, by, idempotencyKey });
  const id = await held(extend('30m', 'k'));
  const { resource } = (await filed())[0]!;
  expect(resource.id).toMatch(/^drf_/);
  expect(resource.attributes).toMatchObject({ reservationId: reservation.id, addSeconds: 1800, totalSeconds: 28_800 + 1800, gpus: 2 });
  await plane.iam.decide(id, 'approved');
  expect(await held(extend('3d', 'k2'))).not.toBe(id);
  expect((await extend('30m', 'k')).extension.addedSeconds).toBe(1800);
});

test('compute§3.4 a held row is left out of a list, and a held read by id asks', async () => {
  const { reservation } = await plane.as({ identityId: person }).reservations.create(ask());
  const reader = plane.as(delegated({ holds: new Set(['compute:reservations:read']) }));
  expect((await reader.reservations.list()).items).toEqual([]);
  const get = () => reader.reservations.get({ reservationId: reservation.id });
  await plane.iam.decide(await held(get()), 'approved');
  expect((await get()).reservation.id).toBe(reservation.id);
  await held(get());
});

function requestOf(path: string, body: object): Request {
  const token = [...plane.iam.callers].find(([, caller]) => caller.delegationId === `dlg_${turn}`)![0];
  return new Request(`https://compute.test/api/compute/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
