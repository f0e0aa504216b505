import { isExclusionViolation } from '@kit/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(1);
});
afterAll(() => plane.close());

const ask = (count: number, duration = '1h') => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count }], duration });

test('compute§5.3 the exclusion constraint refuses a planted double claim, and touching intervals are none', async () => {
  await plane.as({}).reservations.create(ask(1));
  const claim = await plane.database.one<{ gpu: number; to: number }>('select gpu, upper(during) as "to" from compute.claim limit 1');
  const plant = (from: number) =>
    plane.database.run('insert into compute.claim (claim_id, gpu, during) values ($1, $2, int8range($3, $4))', [
      `planted/${from}`,
      claim!.gpu,
      from,
      from + 1_000,
    ]);
  await expect(plant(claim!.to - 1)).rejects.toSatisfy(isExclusionViolation);
  await expect(plant(claim!.to)).resolves.toBe(1);
  await plane.database.run(`delete from compute.claim where claim_id like 'planted/%'`);
});

test('compute§5.3 were memory ever wrong, the constraint ends that call alone and memory is read anew', async () => {
  const faults: unknown[] = [];
  const other = await plane.another({ fault: (error) => faults.push(error) });
  const ann = plane.as({}, { fetch: other.handler });
  const free = await plane.database.rows<{ number: number }>('select number from compute.gpu where number not in (select gpu from compute.claim)');
  // behind the ledger's back: every free GPU is taken in the guarded table alone
  for (const { number } of free)
    await plane.database.run(`insert into compute.claim (claim_id, gpu, during) values ('planted', $1, int8range($2, $3))`, [
      number,
      plane.now(),
      plane.now() + 1,
    ]);
  await expect(ann.reservations.create(ask(1))).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
  expect(faults).toSatisfy((all: unknown[]) => all.length === 1 && isExclusionViolation(all[0]));
  await plane.database.run(`delete from compute.claim where claim_id = 'planted'`);
  expect((await ann.reservations.create(ask(1))).reservation.state).toBe('active');
});

test('compute§5.3 claims that end leave the guarded table, history stays in the ledger', async () => {
  const ann = plane.as({});
  const { reservation } = await ann.reservations.create(ask(2));
  const rows = (table: string) => plane.database.rows(`select 1 from compute.${table} where claim_id like $1`, [`${reservation.id}/%`]);
  expect(await rows('claim')).toHaveLength(2);
  await ann.reservations.extend({ reservationId: reservation.id, by: '1h' });
  await ann.reservations.release({ reservationId: reservation.id });
  expect(await rows('claim')).toHaveLength(0);
  expect(await rows('ledger')).toHaveLength(3);
});
