import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handOff, helper, opened, withHandoff } from '../test-support/handing-on.ts';
import { allRefused, decide, draft, file, HOUR, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
const resource = () => draft(world.tenantId, 'drf_1');
const api = () => world.iam.api.delegations;
const settle = (confirmationId: string, approve: boolean) => api().decideConfirmation(world.alex, { confirmationId, approve });

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
});
afterAll(() => world.close());

/** Everybody anew, as an hour may have ended their sessions. */
async function comeBack(): Promise<void> {
  world.alex.token = await world.signIn('acme', 'alex@acme.test');
  token = await world.assume();
}

const ends: [state: string, end: (id: string) => Promise<unknown>, stored: object][] = [
  ['rejected', (id) => settle(id, false), { status: 'rejected', expired: false }],
  [
    'used',
    async (id) => {
      await settle(id, true);
      await decide(world, token, resource());
    },
    { status: 'used', expired: false },
  ],
  ['pending past its window', async () => world.clock.pass(30 * MINUTE), { status: 'pending', expired: true }],
  [
    'approved past its validity',
    async (id) => {
      await settle(id, true);
      world.clock.pass(HOUR);
    },
    { status: 'approved', expired: true },
  ],
];

describe('what has ended stays so', () => {
  test.each(ends)('iam§17.2 %s: no decision, no use, and the same request again is another record', async (_state, end, stored) => {
    const id = await file(world, token, resource());
    await end(id);
    await comeBack();
    await allRefused('INVALID_TRANSITION', [settle(id, true), settle(id, false)]);
    expect(await decide(world, token, resource())).toMatchObject({ reason: 'CONFIRMATION_REQUIRED' });
    const again = await file(world, token, resource());
    expect(again).not.toBe(id);
    await settle(again, true);
    expect(await decide(world, token, resource())).toMatchObject({ allowed: true, confirmationId: again });
    expect(await api().getConfirmation(world.alex, { confirmationId: id })).toMatchObject(stored);
  });

  test('iam§17.2 being used leaves its end as it was', async () => {
    const id = await file(world, token, resource());
    const { expiresAt } = await settle(id, true);
    world.clock.pass(MINUTE);
    await decide(world, token, resource());
    expect(await api().getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ status: 'used', usedAt: world.clock.now, expiresAt });
  });

  test('iam§17.2 an approval is good for as long as was asked, 30 s to an hour, from the decision on', async () => {
    const filing = (validSeconds: number) =>
      world.within(token, (access) => access.fileConfirmation({ action: 'compute:reservations:create', resource: resource(), reason: 'r', validSeconds }));
    await allRefused('INVALID_INPUT', [filing(29), filing(3601), filing(30.5), filing(Number.NaN)]);
    const { id } = await filing(30);
    world.clock.pass(MINUTE);
    expect(await settle(id, true)).toMatchObject({ expiresAt: world.clock.now + 30_000 });
    world.clock.pass(29_999);
    expect(await decide(world, token, resource())).toMatchObject({ allowed: true });
  });
});

describe('under a delegation whose person’s own has ended', () => {
  test('iam§17.2 iam§17.6 what a hand-off filed cannot be decided once the one above ends, by its time or by a revocation', async () => {
    for (const end of ['time', 'revocation'] as const) {
      const first = await withHandoff(world);
      const second = await helper(world);
      const below = await handOff(world, first.token, second.id);
      const id = await file(world, await opened(world, second.key, below.id), resource());
      if (end === 'revocation') await api().revoke(world.alex, { delegationId: first.delegationId });
      else {
        await world.iam.store.run('update iam.delegations set expires_at = $2 where id = $1', [first.delegationId, world.clock.now]);
        await world.iam.store.run('update iam.generations set generation = generation + 1 where tenant_id = $1', [world.tenantId]);
      }
      await allRefused('DELEGATION_INACTIVE', [settle(id, true), settle(id, false)]);
      expect(await api().getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ status: 'pending' });
      await world.renew();
    }
  });

  test('iam§17.2 iam§17.4 what a hand-off’s approval was for is refused once the one above ends', async () => {
    const first = await withHandoff(world);
    const second = await helper(world);
    const below = await handOff(world, first.token, second.id);
    const session = await opened(world, second.key, below.id);
    await settle(await file(world, session, resource()), true);
    await api().revoke(world.alex, { delegationId: first.delegationId });
    await allRefused('UNAUTHENTICATED', [decide(world, session, resource())]);
  });
});
