import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreUnavailable, type Tx, unawaited } from '@kit/store';
import { limits } from '../limits.ts';
import { refuse } from '../refuse.ts';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';
import { createFolds } from './folds.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { Work } from './work.ts';

let plane: TestPlane;
let lanes: Lanes;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  lanes = createLanes({ database: plane.database, folds: createFolds(), clock: plane.now });
});
afterAll(() => plane.close());

/** Notes when it gets ready and when it acts; `act` says what else it does then. */
function worker(seen: string[], name: string, act: Work<string, string>['act']): Work<string, string> {
  return {
    prepare: async (tx) => {
      await tx.one('select 1');
      seen.push(`${name} ready`);
      return name;
    },
    act: async (tx, pool, prepared) => {
      seen.push(`${name} acts`);
      return await act(tx, pool, prepared);
    },
  };
}

test('compute§5.3 a batch gets ready while the one before is written, and acts when that one is', async () => {
  const seen: string[] = [];
  let second: Promise<string> | undefined;
  const isReady = Promise.withResolvers<void>();
  const next = worker(seen, 'second', async () => 'done too');
  const first = lanes.run(
    POOL,
    worker(seen, 'first', async (tx) => {
      second = lanes.run(POOL, {
        ...next,
        prepare: async (tx) => {
          const prepared = await next.prepare(tx);
          isReady.resolve();
          return prepared;
        },
      });
      // written only once the second is ready
      tx.beforeCommit(async () => {
        await isReady.promise;
        seen.push('first is written');
      });
      return 'done';
    }),
  );
  expect([await first, await second]).toEqual(['done', 'done too']);
  expect(seen).toEqual(['first ready', 'first acts', 'second ready', 'first is written', 'second acts']);
});

test('compute§5.3 of many who come at once half get ready while the others are written, and whoever comes by then goes with them', async () => {
  const transactions = new Map<string, unknown>();
  let late: Promise<string[]> | undefined;
  const noting = (name: string, act: (tx: Tx) => void = () => {}): Promise<string> =>
    lanes.run(
      POOL,
      worker([], name, async (tx) => {
        transactions.set(name, tx);
        act(tx);
        return name;
      }),
    );
  const refused = { prepare: () => Promise.reject(refuse('UNAUTHENTICATED', 'nobody')), act: async () => 'never' };
  const half = limits.batchMin;
  const isLateReady = Promise.withResolvers<void>();
  const first = noting('0', (tx) => {
    // the first half is written only once others have come
    tx.beforeCommit(() => isLateReady.promise);
  });
  const others = Array.from({ length: 2 * half - 1 }, (_, i) => noting(`${i + 1}`));
  const lastOfSecond = lanes.run(POOL, {
    prepare: async (tx: Tx) => {
      await tx.one('select 1');
      late = Promise.all([
        noting('late'),
        expect(lanes.run(POOL, refused))
          .rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
          .then(() => ''),
      ]);
      isLateReady.resolve();
    },
    act: async () => 'last',
  });
  await Promise.all([first, ...others, lastOfSecond]);
  await late;
  const sizes = [...Map.groupBy(transactions.values(), (tx) => tx).values()].map((members) => members.length);
  expect(sizes).toEqual([half + 1, half]);
  expect(transactions.get('late')).toBe(transactions.get(`${2 * half - 1}`));
});

test('compute§5.3 compute§13 where the one before fails as a whole, the next gives its locks back, waits for the calls of it one by one, and starts anew', async () => {
  const seen: string[] = [];
  const lock = 'select pg_advisory_xact_lock(7203461986)';
  let next: Promise<string> | undefined;
  const bad = worker(seen, 'bad', async (tx) => {
    next ??= lanes.run(POOL, {
      ...worker(seen, 'next', async () => 'next is done'),
      // what its neighbour's second try will need
      prepare: async (inner) => {
        await inner.one(lock);
        seen.push('next ready');
        return 'next';
      },
    });
    unawaited(tx.run('select 1 / 0'));
    return 'never';
  });
  const good = { ...worker(seen, 'good', async () => 'good is done'), prepare: async (tx: Parameters<typeof bad.prepare>[0]) => (await tx.one(lock), 'good') };
  const answers = await Promise.allSettled([lanes.run(POOL, bad), lanes.run(POOL, good)]);
  expect(answers).toMatchObject([
    { status: 'rejected', reason: { code: '22012' } },
    { status: 'fulfilled', value: 'good is done' },
  ]);
  expect(await next).toBe('next is done');
  expect(seen.filter((what) => what.endsWith('acts'))).toEqual(['bad acts', 'good acts', 'bad acts', 'good acts', 'next acts']);
});

test('compute§5.3 compute§13 where one conflicts at its end, the next gives its locks back before it is run again', async () => {
  const seen: string[] = [];
  const lock = 'select pg_advisory_xact_lock(7203461987)';
  const locking = (name: string) => async (tx: Tx) => {
    await tx.one(lock);
    seen.push(`${name} ready`);
    return name;
  };
  let next: Promise<string> | undefined;
  const isReady = Promise.withResolvers<void>();
  const first = lanes.run(POOL, {
    prepare: locking('first'),
    act: async (tx) => {
      seen.push('first acts');
      if (next) return 'first is done';
      next = lanes.run(POOL, {
        prepare: async (inner) => {
          isReady.resolve();
          return await locking('next')(inner);
        },
        act: async () => 'next is done',
      });
      tx.beforeCommit(async () => {
        await isReady.promise;
        // the next one waits for the lock, and gets it once this has failed
        await tx.run(`do $$ begin raise exception using errcode = '40001'; end $$`);
      });
      return 'never';
    },
  });
  expect([await first, await next]).toEqual(['first is done', 'next is done']);
  expect(seen).toEqual(['first ready', 'first acts', 'next ready', 'first ready', 'first acts', 'next ready']);
});

test('compute§5.3 compute§13 one that conflicts at its end each time is an outage for its caller, and the pool goes on', async () => {
  let runs = 0;
  const never = lanes.run(POOL, {
    prepare: async () => undefined,
    act: async (tx) => {
      // more than are allowed, so that the test ends where no bound holds
      if (++runs <= 2 * limits.batchRestarts) tx.beforeCommit(() => unawaited(tx.run(`do $$ begin raise exception using errcode = '40001'; end $$`)));
    },
  });
  await expect(never).rejects.toBeInstanceOf(StoreUnavailable);
  expect(runs).toBe(1 + limits.batchRestarts);
  expect(
    await lanes.run(
      POOL,
      worker([], 'next', async () => 'done'),
    ),
  ).toBe('done');
});

test('compute§5.3 what cannot be written at the end fails the call, though nobody waits for that', async () => {
  const impossible = lanes.run(POOL, {
    prepare: async () => undefined,
    act: async (_tx, pool) => pool!.addCharge({ objectId: 'o', tenantId: 't', ownerId: 'p', delegationId: null, amounts: { gpuHours: 1n as never }, at: 0 }),
  });
  await expect(impossible).rejects.toBeInstanceOf(TypeError);
});
