import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { allRefused, decide, draft, file, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
const resource = () => draft(world.tenantId, 'drf_1');
/** An approval of exactly that request. */
async function approved(): Promise<string> {
  const id = await file(world, token, resource());
  await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: id, approve: true });
  return id;
}

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
});
afterAll(() => world.close());

/** Alex's to another agent, and Blake's to the same one. */
async function otherDelegation(of: 'alex' | 'blake'): Promise<string> {
  const agentId =
    of === 'blake' ? world.agent.id : (await world.iam.api.agents.create(world.owner, { name: `other-${world.clock.now}`, sponsorId: world.owner.id })).id;
  return (await world.iam.api.delegations.grant(world[of], { agentId, scopes: ['compute:*'], confirm: ['compute:*'] })).id;
}

/** What of an approval is made another, by its column; each alone must keep it from admitting anything. */
const conditions: [condition: string, column: string, value: () => unknown][] = [
  ['1: the tenant', 'tenant_id', () => world.stranger.tenantId],
  ['1: the delegation, of the same person to another agent', 'delegation_id', () => otherDelegation('alex')],
  ['1: the delegation, of another person to the same agent', 'delegation_id', () => otherDelegation('blake')],
  ['2: the person', 'subject_id', () => world.blake.id],
  ['3: the action', 'action', () => 'compute:reservations:extend'],
  ['3: the action, by a pattern', 'action', () => 'compute:reservations:*'],
  ['3: the action, in capitals', 'action', () => 'compute:reservations:CREATE'],
  ['4: the type', 'resource_type', () => 'compute-node'],
  ['4: the id', 'resource_id', () => 'drf_2'],
  ['4: the id, by a pattern', 'resource_id', () => 'drf_*'],
  ['5: the digest', 'digest', () => 'f'.repeat(64)],
  ['6: pending', 'status', () => 'pending'],
  ['6: rejected', 'status', () => 'rejected'],
  ['6: used', 'status', () => 'used'],
  ['6: at its end', 'expires_at', () => world.clock.now],
];

test.each(conditions)('iam§17.4 condition %s', async (_condition, column, value) => {
  const id = await approved();
  await world.iam.store.run(`update iam.confirmations set ${column} = $2 where id = $1`, [id, await value()]);
  expect(await decide(world, token, resource())).toEqual({ allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [] });
});

test('iam§17.4 with all of them it admits; whichever agent, facts or summary stand beside', async () => {
  const id = await approved();
  await world.iam.store.run(`update iam.confirmations set summary = 'other words', facts = null, agent_id = $2, valid_seconds = 30 where id = $1`, [
    id,
    world.alex.id,
  ]);
  expect(await decide(world, token, resource())).toMatchObject({ allowed: true, confirmationId: id });
});

test('iam§17.4 the likeness admits nothing', async () => {
  const id = await approved();
  const other = draft(world.tenantId, 'drf_2');
  expect(await decide(world, token, other)).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
  const again = await file(world, token, other);
  const { items } = await world.iam.api.delegations.listConfirmations(world.alex, {});
  const [first, second] = [id, again].map((one) => items.find((item) => item.id === one)!);
  expect([second?.likeness, second?.digest === first?.digest]).toEqual([first?.likeness, false]);
});

test('iam§17.4 a binding that JSON cannot say is refused, not made to fit', async () => {
  for (const binding of [{ gpus: Number.POSITIVE_INFINITY }, { gpus: Number.NaN }, { name: '\ud800' }]) {
    const odd = { ...resource(), confirmation: { summary: 'Odd', binding } };
    await allRefused('INVALID_INPUT', [file(world, token, odd), decide(world, token, odd)]);
  }
  expect((await world.iam.api.delegations.listConfirmations({ token }, {})).items).toEqual([]);
});
