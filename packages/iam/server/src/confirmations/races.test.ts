import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, draft, file, openWorld, somebodyWaits, type World } from '../test-support/world.ts';

let world: World;
let token: string;
const create = 'compute:reservations:create';
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
});
afterAll(() => world.close());

const settle = (confirmationId: string, approve: boolean) => world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId, approve });

describe('races', () => {
  test('iam§17.4 one approval, ten decisions at once: exactly one is admitted, the others are held', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    await settle(await file(world, token, resource), true);
    const decisions = await Promise.all(Array.from({ length: 10 }, () => decide(world, token, resource)));
    expect(decisions.filter((d) => d.allowed)).toHaveLength(1);
    expect(decisions.filter((d) => d.reason === 'CONFIRMATION_REQUIRED')).toHaveLength(9);
  });

  test('iam§17.4 a second decision waits for the first; when that fails, the approval is the second’s', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    await settle(id, true);
    let second: ReturnType<typeof decide> | undefined;
    const first = world.within(token, async (access) => {
      await access.decide(create, resource);
      second = decide(world, token, resource);
      await somebodyWaits(world);
      throw new Error('the effect fails');
    });
    await expect(first).rejects.toThrow('the effect fails');
    expect(await second).toMatchObject({ allowed: true, confirmationId: id });
  });

  test('iam§17.6 two deciders at once: one decides, the other is told so', async () => {
    for (let i = 0; i < 5; i++) {
      const id = await file(world, token, draft(world.tenantId, `drf_${i}`, i + 1));
      const outcomes = await Promise.allSettled([settle(id, true), settle(id, false)]);
      expect(outcomes.map((o) => o.status).sort()).toEqual(['fulfilled', 'rejected']);
      const lost = outcomes.find((o) => o.status === 'rejected')!;
      expect(lost.reason).toMatchObject({ code: 'INVALID_TRANSITION' });
    }
  });

  test('iam§17.6 approve against revoke: whichever comes first, nothing opens once the revocation has returned', async () => {
    for (let i = 0; i < 5; i++) {
      const resource = draft(world.tenantId, `drf_${i}`, i + 1);
      const id = await file(world, token, resource);
      const { items } = await world.iam.api.delegations.listMine(world.alex);
      const live = items.find((d) => d.status === 'active')!;
      const [approval] = await Promise.allSettled([settle(id, true), world.iam.api.delegations.revoke(world.alex, { delegationId: live.id })]);
      if (approval.status === 'rejected') expect(approval.reason).toMatchObject({ code: 'DELEGATION_INACTIVE' });
      await expect(decide(world, token, resource)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      const again = await world.iam.api.delegations.grant(world.alex, { agentId: world.agent.id, scopes: ['compute:*'], confirm: ['compute:*'] });
      token = (await world.iam.api.delegations.assume({ token: world.agent.key }, { delegationId: again.id })).token;
    }
  });

  test('iam§8.5 a revocation waits for the effect under way, and the next call is refused', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    await settle(await file(world, token, resource), true);
    let isRevoked = false;
    let revocation: Promise<unknown> | undefined;
    await world.within(token, async (access) => {
      expect(await access.decide(create, resource)).toMatchObject({ allowed: true });
      revocation = world.iam.api.delegations.revoke(world.alex, { delegationId: world.delegationId }).then(() => (isRevoked = true));
      await somebodyWaits(world);
      expect(isRevoked).toBe(false);
    });
    await revocation;
    await expect(decide(world, token, resource)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§8.5 an effect that waits for a revocation sees it', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    await settle(await file(world, token, resource), true);
    let effect: Promise<unknown> | undefined;
    await world.iam.store.transaction(async (tx) => {
      await tx.rows('select 1 from iam.generations where tenant_id = $1 for update', [world.tenantId]);
      effect = decide(world, token, resource).catch((e: unknown) => e);
      await somebodyWaits(world);
      await tx.run(`update iam.delegations set status = 'revoked' where id = $1`, [world.delegationId]);
      await tx.run('update iam.generations set generation = generation + 1 where tenant_id = $1', [world.tenantId]);
    });
    expect(await effect).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('iam§17.5 the same request filed ten times at once is one record', async () => {
    const resource = draft(world.tenantId, 'drf_1');
    const ids = await Promise.all(Array.from({ length: 10 }, () => file(world, token, resource)));
    expect(new Set(ids).size).toBe(1);
  });

  test('iam§22 changes made at once leave one chain without gaps', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, i) => file(world, token, draft(world.tenantId, `drf_${i}`, i + 1))));
    expect(await world.iam.api.audit.verify(world.owner)).toMatchObject({ ok: true });
  });
});
