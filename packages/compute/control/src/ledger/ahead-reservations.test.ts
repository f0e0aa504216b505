import { refusalOf } from '@kit/operation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Compute } from '../compute.ts';
import { overlapsOf, readHistory } from '../testing/history.ts';
import { PLATFORM, POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let other: Compute;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(1);
  other = await plane.another();
});
afterAll(() => plane.close());

describe('a reservation that is made before the one before is written', () => {
  const ask = (count: number, more: object = {}) => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count }], duration: '1h', ...more });
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'made',
      (error: unknown) => refusalOf(error)?.code,
    );

  /** While no reservation can be written: one is made, `work` is done, and all that waits goes on. */
  async function meanwhile<T>(work: (made: Promise<unknown>) => Promise<T>): Promise<T> {
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = plane.database.transaction(async (tx) => {
      await tx.run('lock table compute.reservation in share mode');
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    const first = plane.as({ tenantId: 'tnt_first' }).reservations.create(ask(1));
    await lockWaiter();
    const working = work(first);
    try {
      return await working;
    } finally {
      held.resolve();
      await holding;
    }
  }

  test('compute§3.5 never exceeds a budget that came to be in between', async () => {
    const tenantId = 'tnt_counted';
    const root = plane.as({ tenantId: PLATFORM, hasRootOverride: true });
    const answers = await meanwhile(async (first) => {
      const second = codeOf(plane.as({ tenantId }).reservations.create(ask(2)));
      await idle(2);
      await root.budgets.set({ tenantId, unit: 'liveReservations', limit: 0 });
      return { answers: Promise.all([codeOf(first), second]) };
    });
    expect(await answers.answers).toEqual(['made', 'QUOTA_EXCEEDED']);
  });

  test('compute§3.5 never exceeds a budget of which its process learns in between', async () => {
    const tenantId = 'tnt_learnt';
    await plane.pool({ id: 'pool_learning' });
    const ann = plane.as({ tenantId });
    const root = plane.as({ tenantId: PLATFORM, hasRootOverride: true });
    const answers = await meanwhile(async (first) => {
      const second = codeOf(ann.reservations.create(ask(1)));
      await idle(2);
      await root.budgets.set({ tenantId, unit: 'liveReservations', limit: 0 });
      expect(await codeOf(ann.reservations.create(ask(1, { poolId: 'pool_learning' })))).toBe('QUOTA_EXCEEDED');
      return { answers: Promise.all([codeOf(first), second]) };
    });
    expect(await answers.answers).toEqual(['made', 'QUOTA_EXCEEDED']);
  });

  test('compute§5.3 compute§13 never takes what another process took in between', async () => {
    const before = plane.as({ tenantId: 'tnt_second' });
    const answers = await meanwhile(async (first) => {
      // all six that are left by its own account; the other process, which is first, leaves it two
      const second = codeOf(before.reservations.create(ask(6)));
      await idle(2);
      const third = codeOf(plane.as({ tenantId: 'tnt_third' }, { fetch: other.handler }).reservations.create(ask(4)));
      await lockWaiter(2);
      return { answers: Promise.all([codeOf(first), second, third]) };
    });
    // as a rule the third, which waits already; but who comes may be faster than who is woken
    expect((await answers.answers).toSorted()).toEqual(['NO_CAPACITY', 'made', 'made']);
    const history = await readHistory(plane.database, POOL);
    expect(overlapsOf(history)).toEqual([]);
    expect(history.map((row) => row.seq)).toEqual(history.map((_, i) => i + 1));
  });
});

const sessions = async (where: string, count: number): Promise<void> => {
  const text = `select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${where}`;
  while ((await plane.database.one<{ n: number }>(text))!.n < count);
};
/** So many transactions wait for a lock. */
const lockWaiter = (count = 1) => sessions(`wait_event_type = 'Lock'`, count);
/** So many have nothing to do before somebody else is done. */
const idle = (count: number) => sessions(`state = 'idle in transaction'`, count);
