import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPool } from '../pools/store.ts';
import { POOL, type TestPlane, testPlane } from '../testing/test-plane.ts';
import { createFolds, takeRow } from './folds.ts';
import { readLedgerAfter } from './store.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(1);
});
afterAll(() => plane.close());

test('compute§5.5 compute§13 a reader meets what a batch took ahead of its lock and lost to another process: it reads the truth anew', async () => {
  const { database } = plane;
  const folds = createFolds();
  const now = plane.now();
  const caughtUp = async () => folds.caughtUp(database, (await readPool(database, POOL))!, now);
  const ask = (count: number) => plane.as({}).reservations.create({ poolId: POOL, requests: [{ class: 'gpu', count }], duration: '1h' });
  const fold = await caughtUp();
  await ask(1);
  await ask(7);
  const [first, second] = await readLedgerAfter(database, POOL, 0);
  takeRow(fold, { ...second!, seq: first!.seq, claimId: 'never/1', reservationId: 'never' });
  const truth = await caughtUp();
  expect([...truth.claims.keys()]).toEqual([first!.claimId, second!.claimId]);
  expect(await caughtUp()).toBe(truth);
});
