import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, draft, file, HOUR, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
const api = () => world.iam.api.delegations;
const get = (confirmationId: string) => api().getConfirmation(world.alex, { confirmationId });
const settle = (confirmationId: string, approve: boolean) => api().decideConfirmation(world.alex, { confirmationId, approve });

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = (await api().assume({ token: world.agent.key }, { delegationId: world.delegationId, durationSeconds: 3600 })).token;
});
afterAll(() => world.close());

describe('the life of a confirmation', () => {
  test('iam§17.2 pending for 30 minutes, gone at the exact millisecond, and never decided after', async () => {
    const id = await file(world, token, draft(world.tenantId, 'drf_1'));
    expect(await get(id)).toMatchObject({ status: 'pending', expired: false, expiresAt: world.clock.now + 30 * MINUTE });
    world.clock.pass(30 * MINUTE - 1);
    expect(await get(id)).toMatchObject({ status: 'pending', expired: false });
    world.clock.pass(1);
    expect(await get(id)).toMatchObject({ status: 'pending', expired: true });
    await expect(settle(id, true)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    await expect(settle(id, false)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test('iam§17.2 the same request again is the same record with its first words', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    world.clock.pass(MINUTE);
    const again = await world.within(token, (access) =>
      access.fileConfirmation({ action: 'compute:reservations:create', resource, reason: 'other words', validSeconds: 60 }),
    );
    expect(again.id).toBe(id);
    expect(await get(id)).toMatchObject({ reason: 'requested through the API', validSeconds: 3600, expiresAt: world.clock.now + 29 * MINUTE });
  });

  test('iam§17.2 approved until its validity ends, strictly', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    const approved = await settle(id, true);
    expect(approved).toMatchObject({ status: 'approved', expired: false, decidedAt: world.clock.now, expiresAt: world.clock.now + HOUR });
    token = (await api().assume({ token: world.agent.key }, { delegationId: world.delegationId, durationSeconds: 3600 })).token;
    world.clock.pass(HOUR - 1);
    expect(await world.within(token, async (access) => access.check('compute:reservations:create', resource))).toMatchObject({
      reason: 'CONFIRMATION_REQUIRED',
    });
    world.clock.pass(1);
    expect(await get(id).catch((e: { code: string }) => e.code)).toBe('UNAUTHENTICATED');
    world.alex.token = await world.signIn('acme', 'alex@acme.test');
    expect(await get(id)).toMatchObject({ status: 'approved', expired: true });
    token = await world.assume();
    expect(await decide(world, token, resource)).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
  });

  test('iam§17.2 one millisecond before its end an approval still admits', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    await settle(id, true);
    world.clock.pass(HOUR - 1);
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true, confirmationId: id });
  });

  test('iam§17.2 rejected is final, and its end is the moment it was rejected', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    expect(await settle(id, false)).toMatchObject({ status: 'rejected', expiresAt: world.clock.now, expired: false });
    await expect(settle(id, true)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await decide(world, token, resource)).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
  });

  test('iam§17.2 used is final', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    await settle(id, true);
    await decide(world, token, resource);
    await expect(settle(id, false)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await get(id)).toMatchObject({ status: 'used', expired: false });
  });

  test('iam§17.2 when the delegation ends, deciding is DELEGATION_INACTIVE and what was approved opens nothing', async () => {
    const first = await file(world, token, draft(world.tenantId, 'drf_1'));
    const second = await file(world, token, draft(world.tenantId, 'drf_2'));
    await settle(first, true);
    await api().revoke(world.alex, { delegationId: world.delegationId });
    await expect(settle(second, true)).rejects.toMatchObject({ code: 'DELEGATION_INACTIVE' });
    await expect(decide(world, token, draft(world.tenantId, 'drf_1'))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§17.4 a transaction that fails takes the spending of its approval with it', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    await settle(id, true);
    await expect(
      world.within(token, async (access) => {
        expect(await access.decide('compute:reservations:create', resource)).toMatchObject({ allowed: true });
        throw new Error('no capacity');
      }),
    ).rejects.toThrow('no capacity');
    expect(await get(id)).toMatchObject({ status: 'approved' });
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true, confirmationId: id });
  });
});
