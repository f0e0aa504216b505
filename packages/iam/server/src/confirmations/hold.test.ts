import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draft, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const create = 'compute:reservations:create';

describe('a held action', () => {
  test('iam§17.4 is held, filed by the service, approved by the person, admitted once and then held again', async () => {
    const token = await world.assume();
    const resource = draft(world.tenantId, 'drf_1');
    const filed = await world.within(token, async (access) => {
      expect(await access.decide(create, resource)).toEqual({ allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [] });
      return await access.fileConfirmation({ action: create, resource, reason: 'requested through the API', note: 'please', validSeconds: 3600 });
    });
    const card = await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: filed.id });
    expect(card).toMatchObject({
      status: 'pending',
      expired: false,
      filedBy: 'service',
      summary: 'Reserve 8 GPUs',
      note: 'please',
      agent: { id: world.agent.id, name: 'research-agent', model: 'model-1', provider: 'maker', sponsorName: 'Owner of acme' },
      repeat: { count: 0, rejected: 0 },
      resource: { type: 'compute-reservation', id: 'drf_1' },
    });
    const approved = await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: filed.id, approve: true });
    expect(approved).toMatchObject({ status: 'approved', expiresAt: world.clock.now + 3600_000, decidedBy: world.alex.id });
    const decisions = await world.within(token, async (access) => [await access.decide(create, resource), await access.decide(create, resource)]);
    expect(decisions).toMatchObject([
      { allowed: true, reason: 'ALLOWED', confirmationId: filed.id },
      { allowed: false, reason: 'CONFIRMATION_REQUIRED' },
    ]);
    expect(await world.iam.api.delegations.getConfirmation({ token }, { confirmationId: filed.id })).toMatchObject({ status: 'used', usedAt: world.clock.now });
    expect(await world.iam.api.audit.verify(world.owner)).toMatchObject({ ok: true });
  });
});
