import { refusalOf } from '@kit/operation';
import type { Tx } from '@kit/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Compute } from '../compute.ts';
import { limits } from '../limits.ts';
import { overlapsOf, readHistory } from '../testing/history.ts';
import { PLATFORM, POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';
import { createFolds } from './folds.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { Work } from './work.ts';

let plane: TestPlane;
let other: Compute;
let lanes: Lanes;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(1);
  other = await plane.another();
});
afterAll(() => plane.close());

const newLanes = () => createLanes({ database: plane.database, folds: createFolds(), clock: plane.now });

/** Acts early and notes it. */
const early = (
  seen: string[],
  name: string,
  act: (...args: Parameters<Work<undefined, string>['act']>) => Promise<void> = async () => {},
): Work<undefined, string> => ({
  prepare: async () => undefined,
  isEarly: () => true,
  act: async (tx, pool, prepared) => {
    seen.push(`${name} acts`);
    await act(tx, pool, prepared);
    return name;
  },
});

/** A batch that stays unwritten until `until`, once `next` was called by its act. */
const unwritten = (seen: string[], next: () => unknown, until: Promise<unknown>) =>
  lanes.run(POOL, {
    prepare: async () => undefined,
    act: async (tx) => {
      seen.push('first acts');
      next();
      tx.beforeCommit(async () => {
        await until;
        seen.push('first is written');
      });
    },
  });

const raiseNodeSeq = (tx: Pick<Tx, 'run'>) => tx.run('update compute.pool set node_seq = node_seq + 1 where id = $1', [POOL]);

describe('a batch that acts before the one before is written', () => {
  test('compute§5.3 what it asks of the database all the same waits for the lock, and so does its answer', async () => {
    lanes = newLanes();
    const seen: string[] = [];
    const hasActed = Promise.withResolvers<void>();
    let second: Promise<string> | undefined;
    const next = early(seen, 'second', async (tx) => {
      const asked = tx.one('select 1');
      hasActed.resolve();
      await asked;
      seen.push('second is told');
    });
    await unwritten(seen, () => (second = lanes.run(POOL, next)), hasActed.promise);
    expect(await second).toBe('second');
    expect(seen).toEqual(['first acts', 'second acts', 'first is written', 'second is told']);
  });

  test('compute§5.3 one that is not early acts after the early ones, under the lock', async () => {
    lanes = newLanes();
    const seen: string[] = [];
    const hasActed = Promise.withResolvers<void>();
    let others: Promise<string[]> | undefined;
    const { isEarly: _early, ...late } = early(seen, 'late');
    const go = () =>
      (others = Promise.all([
        lanes.run(POOL, late),
        lanes.run(
          POOL,
          early(seen, 'early', async () => hasActed.resolve()),
        ),
      ]));
    await unwritten(seen, go, hasActed.promise);
    expect(await others).toEqual(['late', 'early']);
    expect(seen).toEqual(['first acts', 'early acts', 'first is written', 'late acts']);
  });

  test('compute§5.3 compute§13 is undone where the one before fails, and acts anew', async () => {
    lanes = newLanes();
    const seen: string[] = [];
    const hasActed = Promise.withResolvers<void>();
    let second: Promise<string> | undefined;
    const go = () =>
      (second = lanes.run(
        POOL,
        early(seen, 'second', async () => hasActed.resolve()),
      ));
    const failing = hasActed.promise.then(() => Promise.reject(new Error('not written')));
    const first = unwritten(seen, () => (second ? undefined : go()), failing);
    await expect(first).rejects.toThrow('not written');
    expect(await second).toBe('second');
    expect(seen).toEqual(['first acts', 'second acts', 'second acts']);
  });

  test('compute§5.3 compute§13 is undone where another process changed the pool in between; the next ones wait for the lock, until nobody has for a while', async () => {
    lanes = newLanes();
    const seen: string[] = [];
    const hasActed = Promise.withResolvers<void>();
    let second: Promise<string> | undefined;
    let elsewhere: Promise<number> | undefined;
    const pools: number[] = [];
    const next = early(seen, 'second', async (_tx, pool) => {
      pools.push(pool!.row.nodeSeq);
      hasActed.resolve();
    });
    // it stands in the queue for the pool's row before the second does
    const queued = hasActed.promise.then(async () => {
      elsewhere = raiseNodeSeq(plane.database);
      await lockWaiter();
    });
    await unwritten(seen, () => (second = lanes.run(POOL, next)), queued);
    expect(await second).toBe('second');
    await elsewhere;
    expect(seen).toEqual(['first acts', 'second acts', 'first is written', 'second acts']);
    expect(pools[1]).toBe(pools[0]! + 1);

    const isEarly = async (): Promise<boolean> => {
      // nobody wants the pool any more
      await new Promise(setImmediate);
      const order: string[] = [];
      let following: Promise<string> | undefined;
      const isReady = Promise.withResolvers<void>();
      const follower = early(order, 'following');
      const go = () => (following = lanes.run(POOL, { ...follower, prepare: async (tx) => void (await tx.one('select 1'), setImmediate(isReady.resolve)) }));
      await unwritten(order, go, isReady.promise);
      await following;
      return order.indexOf('following acts') < order.indexOf('first is written');
    };
    expect(await isEarly()).toBe(false);
    for (let turn = 1; turn < limits.sharedTurns; turn++) await isEarly();
    expect(await isEarly()).toBe(true);
  });
});

describe('a reservation that is made so', () => {
  const ask = (count: number) => ({ poolId: POOL, requests: [{ class: 'gpu' as const, count }], duration: '1h' });
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
    expect(await answers.answers).toEqual(['made', 'NO_CAPACITY', 'made']);
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
