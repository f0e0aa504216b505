import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { budgetWorld, type BudgetWorld } from '../testing/budget-world.ts';
import { codeOf } from '../testing/code-of.ts';
import { type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let w: BudgetWorld;
let turn = 0;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  w = await budgetWorld(plane, `races-${++turn}`);
});

describe('races', () => {
  test('compute§3.5 sixty at once, through two control planes and two pools, are admitted up to the limit and not beyond', async () => {
    const { tenantId, pool, person, ask, ofTenant, ofPerson, figures, reservations } = w;
    const second = `${pool}-b`;
    await plane.pool({ id: second, placement: 'lease' });
    await plane.nodes(8, { poolId: second });
    const other = await plane.another();
    const [tenant, own] = [await ofTenant({ unit: 'gpuHours', limit: 25 }), await ofPerson({ unit: 'liveReservations', limit: 9 })];
    const clients = Array.from({ length: 60 }, (_, i) =>
      plane.as({ tenantId, identityId: i % 3 === 0 ? person : `usr_${turn}_${i}` }, i % 2 ? {} : { fetch: other.handler }),
    );
    const results = await Promise.allSettled(clients.map((client, i) => client.reservations.create(ask(1, 1, { poolId: i % 4 < 2 ? pool : second }))));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['QUOTA_EXCEEDED']));
    expect(await reservations()).toBe(60 - refused.length);
    const [all, mine] = [await figures(tenant.id), await figures(own.id)];
    expect(all).toEqual({ used: await reservations(), held: 0, left: 25 - (await reservations()) });
    // the organization's limit was reached, or the person's stopped the last of theirs
    expect(all.used).toBe(25);
    expect(mine.used).toBeLessThanOrEqual(9);
  });

  test('compute§3.5 what is given back in a race with what is asked for is neither lost nor given twice', async () => {
    const { ann, ask, ofPerson, figures } = w;
    const budget = await ofPerson({ unit: 'liveReservations', limit: 3 });
    const live: string[] = [];
    for (let round = 0; round < 6; round++) {
      const calls = [
        ...live.splice(0, 2).map((reservationId) => ann.reservations.release({ reservationId })),
        ...Array.from({ length: 5 }, async () => live.push((await ann.reservations.create(ask(1, 1))).reservation.id)),
      ];
      for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') expect(result.reason.code).toBe('QUOTA_EXCEEDED');
      expect(live.length).toBeLessThanOrEqual(3);
      expect((await figures(budget.id)).used).toBe(live.length);
    }
    expect(live.length).toBeGreaterThan(0);
  });

  test('compute§3.5 a first budget that is set amid creates and releases counts every one of them, once', async () => {
    const other = await plane.another();
    for (let round = 0; round < 5; round++) {
      const { tenantId, person, ask, ofTenant, figures } = await budgetWorld(plane, `first-${round}`);
      const clients = [{}, { fetch: other.handler }].map((through) => plane.as({ tenantId, identityId: person }, through));
      const make = (count: number) => Array.from({ length: count }, (_, i) => clients[i % 2]!.reservations.create(ask(1, 1)));
      const made = await Promise.all(make(6));
      const creates = make(8);
      const releases = made.slice(0, 4).map(({ reservation }, i) => clients[i % 2]!.reservations.release({ reservationId: reservation.id }));
      const [live, hours] = await Promise.all([
        ofTenant({ unit: 'liveReservations', limit: 100 }),
        ofTenant({ unit: 'gpuHours', period: 'day', limit: 1_000 }),
      ]);
      const later = await Promise.all(creates);
      await Promise.all(releases);
      expect([(await figures(live.id)).used, (await figures(hours.id)).used]).toEqual([10, 10]);
      for (const { reservation } of [...made.slice(4), ...later]) await clients[round % 2]!.reservations.release({ reservationId: reservation.id });
      expect([(await figures(live.id)).used, (await figures(hours.id)).used]).toEqual([0, 0]);
    }
  });

  test('compute§3.5 held requests of one delegation that arrive together are kept for up to the limit', async () => {
    const { agent, ask, ofDelegation, figures } = w;
    const budget = await ofDelegation({ unit: 'gpuHours', limit: 4 });
    const results = await Promise.all(Array.from({ length: 12 }, (_, i) => codeOf(agent.reservations.create(ask(1, 1, { idempotencyKey: `k${i}` })))));
    expect(results.filter((code) => code === 'CONFIRMATION_REQUIRED')).toHaveLength(4);
    expect(results.filter((code) => code === 'QUOTA_EXCEEDED')).toHaveLength(8);
    expect(await figures(budget.id)).toEqual({ used: 0, held: 4, left: 0 });
  });
});
