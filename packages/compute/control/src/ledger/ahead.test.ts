import { type Tx, unawaited } from '@kit/store';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';
import { createFolds } from './folds.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { Work } from './work.ts';

let plane: TestPlane;
let lanes: Lanes;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(1);
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

/** What comes of a batch that acts early when another process changes the pool before it has the lock. */
async function changedBefore(seen: string[], act: (...args: Parameters<Work<undefined, string>['act']>) => Promise<void>): Promise<string> {
  const inTheWay = 'select pg_advisory_xact_lock(7203461988)';
  const [isHeld, hasActed, isChanged] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = plane.database.transaction(async (tx) => {
    await tx.run(inTheWay);
    isHeld.resolve();
    await isChanged.promise;
  });
  await isHeld.promise;
  const work = early(seen, 'second', async (...args) => {
    hasActed.resolve();
    await act(...args);
  });
  let answer: Promise<string> | undefined;
  const go = () => {
    answer = lanes.run(POOL, { ...work, prepare: async (tx) => unawaited(tx.run(inTheWay)) });
    unawaited(answer);
  };
  await unwritten(seen, go, hasActed.promise);
  await raiseNodeSeq(plane.database);
  isChanged.resolve();
  await holding;
  return answer!;
}

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
    const pools: number[] = [];
    expect(await changedBefore(seen, async (_tx, pool) => void pools.push(pool!.row.nodeSeq))).toBe('second');
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

describe('a call that goes wrong so', () => {
  /** Throws this often, of what it is told behind the lock. */
  function failing(times: number): Promise<string> {
    let left = times;
    lanes = newLanes();
    return changedBefore([], async (tx) => {
      await tx.one('select 1');
      if (left-- > 0) throw new Error('it was not so');
    });
  }

  test('compute§13 acts anew where what it acted on was not so, and fails with what is wrong then', async () => {
    expect(await failing(1)).toBe('second');
    await expect(failing(2)).rejects.toThrow('it was not so');
  });
});

describe('what time it is for it', () => {
  let time = 1_000;
  const told: Record<string, number> = {};
  const note = (name: string, then: () => void = () => {}) =>
    early([], name, async (_tx, pool) => {
      told[name] = pool!.now;
      then();
    });
  beforeEach(() => {
    time = 1_000;
    lanes = createLanes({ database: plane.database, folds: createFolds(), clock: () => time });
  });

  test('compute§13 never before what it was for the batch before', async () => {
    const isReady = Promise.withResolvers<void>();
    let second: Promise<string> | undefined;
    const go = () => {
      time = 990;
      second = lanes.run(POOL, { ...note('second'), prepare: async (tx) => void (await tx.one('select 1'), setImmediate(isReady.resolve)) });
    };
    await unwritten(
      [],
      go,
      isReady.promise.then(() => (time = 1_010)),
    );
    await second;
    expect(told.second).toBe(1_010);
  });

  test('compute§13 when it acts: for who comes while it waits later than for those before, for who waits for the lock the time of the lock', async () => {
    const hasActed = Promise.withResolvers<void>();
    let others: Promise<string>[] = [];
    const go = () => {
      time = 1_005;
      const { isEarly: _early, ...late } = note('late');
      const joins = () => {
        time = 1_007;
        others.push(lanes.run(POOL, note('third', hasActed.resolve)));
      };
      others = [lanes.run(POOL, late), lanes.run(POOL, note('second', joins))];
    };
    await unwritten(
      [],
      go,
      hasActed.promise.then(() => (time = 1_010)),
    );
    await Promise.all(others);
    expect(told).toMatchObject({ second: 1_005, third: 1_007, late: 1_010 });
  });
});
