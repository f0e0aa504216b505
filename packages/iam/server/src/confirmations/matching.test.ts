import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide, draft, file, HOUR, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  await world.renew();
  token = await world.assume();
});
afterAll(() => world.close());

const held = { allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [] };
async function approved(resource = draft(world.tenantId, `drf_${Math.random()}`)): Promise<{ id: string; resource: typeof resource }> {
  const id = await file(world, token, resource);
  await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: id, approve: true });
  return { id, resource };
}

describe('an approval admits one effect, as it was described', () => {
  test('iam§17.4 iam§24 the request that was approved is admitted once, with the time its approval would have lapsed, then held again, under an id cnf_…', async () => {
    const { id, resource } = await approved();
    const lapsesAt = world.clock.now + HOUR;
    expect(id).toMatch(/^cnf_[A-Za-z0-9_-]{22}$/);
    expect(await decide(world, token, resource)).toEqual({ allowed: true, reason: 'ALLOWED', matched: ['statements[0]'], confirmationId: id, lapsesAt });
    expect(await decide(world, token, resource)).toEqual(held);
    expect(await world.iam.api.delegations.getConfirmation({ token }, { confirmationId: id })).toMatchObject({ status: 'used', usedAt: world.clock.now });
  });

  test('iam§17.4 the same id with another binding is another request: a replay with more GPUs is held', async () => {
    const { id, resource } = await approved();
    expect(await decide(world, token, draft(world.tenantId, resource.id, 64))).toEqual(held);
    expect(await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ status: 'approved' });
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true });
  });

  test('iam§17.4 another id, another action and another type with the same binding are each held', async () => {
    const { resource } = await approved();
    expect(await decide(world, token, { ...resource, id: 'drf_other' })).toEqual(held);
    expect(await decide(world, token, resource, 'compute:reservations:extend')).toEqual(held);
    expect(await decide(world, token, { ...resource, type: 'compute-node' })).toEqual(held);
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true });
  });

  test('iam§17.4 without a binding of its own an approval is tied by the attributes', async () => {
    const plain = { tenantId: world.tenantId, type: 'compute-reservation', id: 'drf_plain', attributes: { gpus: 4 } };
    await approved({ ...plain, confirmation: { summary: 'Four GPUs' } } as never);
    expect(await decide(world, token, { ...plain, attributes: { gpus: 5 } })).toEqual(held);
    expect(await decide(world, token, { ...plain, attributes: { gpus: 4 } })).toMatchObject({ allowed: true });
  });

  test('iam§17.4 any live session of the same delegation may use it, so an agent that starts again can finish', async () => {
    const { resource } = await approved();
    expect(await decide(world, await world.assume(), resource)).toMatchObject({ allowed: true });
  });

  test('iam§17.4 an approval does not survive revoke and grant anew: the new delegation has another id', async () => {
    const { resource } = await approved();
    const own = await world.iam.api.delegations.listMine(world.alex);
    const current = own.items.find((d) => d.status === 'active')!;
    await world.iam.api.delegations.revoke(world.alex, { delegationId: current.id });
    const again = await world.iam.api.delegations.grant(world.alex, {
      agentId: world.agent.id,
      scopes: ['compute:reservations:*'],
      confirm: ['compute:reservations:create'],
    });
    const session = await world.iam.api.delegations.assume({ token: world.agent.key }, { delegationId: again.id });
    token = session.token;
    expect(await decide(world, token, resource)).toEqual(held);
  });

  test('iam§17.4 of several that match, the one decided first is used', async () => {
    const resource = draft(world.tenantId, 'drf_twice');
    const first = (await approved(resource)).id;
    world.clock.pass(1);
    const second = (await approved(resource)).id;
    expect(second).not.toBe(first);
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true, confirmationId: first });
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true, confirmationId: second });
  });

  test('iam§17.3 a denial for another reason is never a hold: nobody is asked to approve what could not happen', async () => {
    await expect(
      world.within(token, async (access) => {
        const resource = { ...draft(world.tenantId, 'drf_n'), type: 'compute-node' };
        expect(await access.decide('compute:nodes:reboot', resource)).toEqual({ allowed: false, reason: 'ACCESS_DENIED', matched: [] });
        await access.fileConfirmation({ action: 'compute:nodes:reboot', resource, reason: 'x', validSeconds: 300 });
      }),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§12.1 an approval is no grant: what the person may no longer do is denied, and the approval stays unspent', async () => {
    const { id, resource } = await approved();
    const bindings = await world.iam.api.bindings.list(world.owner, { identityId: world.alex.id });
    await world.iam.api.bindings.delete(world.owner, { bindingId: bindings.items[0]!.id });
    expect(await decide(world, token, resource)).toEqual({ allowed: false, reason: 'ACCESS_DENIED', matched: [] });
    expect(await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ status: 'approved' });
    await world.iam.api.bindings.create(world.owner, { roleId: bindings.items[0]!.roleId, identityId: world.alex.id });
    expect(await decide(world, token, resource)).toMatchObject({ allowed: true });
  });
});
