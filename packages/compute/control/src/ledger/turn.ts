import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, StoreUnavailable, type Tx, unawaited } from '@kit/store';
import { limits } from '../limits.ts';
import { lockPool, type PoolRow } from '../pools/store.ts';
import { gated, isAsLeft, isCurrent, type Left } from './ahead.ts';
import type { Clock } from './clock.ts';
import { type Folds, pruneFold } from './folds.ts';
import { getReady, type GettingReady, type Outcome } from './getting-ready.ts';
import { PoolTx } from './pool-tx.ts';
import type { Item, Lane } from './work.ts';

export interface TurnOptions {
  database: Database;
  folds: Folds;
  clock: Clock;
  /** Pools that another process changes as well: so many turns without it, and they are this one's alone again. */
  shared: Map<string, number>;
}

/** A batch on its way. */
export interface Turn {
  /** All that it does is done in memory; what is left is to write it. Answers what the next one can build on, if it can. */
  readonly acted: Promise<Left | undefined>;
  /** False: it failed as a whole and is tried again, each call alone. */
  readonly isWritten: Promise<boolean>;
  /** Every call has its answer. */
  readonly over: Promise<void>;
}

export const nothingBefore: Turn = { acted: Promise.resolve(undefined), isWritten: Promise.resolve(true), over: Promise.resolve() };

/** Thrown out of a transaction that is to start anew, alone: it must not wait for the batch before while it holds locks that one may need, or is that one. */
class MakeWay extends Error {}

export function begin(o: TurnOptions, lane: Lane, batch: Item[], before: Turn, restarts = 0): Turn {
  const acted = Promise.withResolvers<Left | undefined>();
  const isWritten = Promise.withResolvers<boolean>();
  const over = (async () => {
    try {
      const outcomes = await transact(o, lane, batch, before, acted.resolve);
      isWritten.resolve(true);
      // what the callers do next keeps this process busy: the next batch sends what it has first
      if (lane.join) await nextTurn();
      settle(batch, outcomes);
    } catch (error) {
      if (!(error instanceof MakeWay)) o.folds.drop(lane.poolId);
      isWritten.resolve(false);
      await before.over;
      await again(o, lane, batch, error, restarts);
      acted.resolve(undefined);
    }
  })();
  return { acted: acted.promise, isWritten: isWritten.promise, over };
}

async function again(o: TurnOptions, lane: Lane, batch: Item[], failure: unknown, restarts: number): Promise<void> {
  const isEnough = restarts >= limits.batchRestarts;
  if (failure instanceof MakeWay && !isEnough) return begin(o, lane, batch, nothingBefore, restarts + 1).over;
  const error = failure instanceof MakeWay ? new StoreUnavailable(`a batch met other transactions ${restarts + 1} times`) : failure;
  if (batch.length === 1 || error instanceof StoreUnavailable) for (const item of batch) item.reject(error);
  // one call's fault must not be its neighbours': each alone
  else for (const item of batch) await begin(o, lane, [item], nothingBefore).over;
}

function settle(batch: readonly Item[], outcomes: readonly Outcome[]): void {
  batch.forEach((item, i) => {
    const outcome = outcomes[i]!;
    if ('refusal' in outcome) item.reject(outcome.refusal);
    else item.resolve(outcome.value);
  });
}

async function transact(o: TurnOptions, lane: Lane, batch: Item[], before: Turn, onActed: (left: Left | undefined) => void): Promise<Outcome[]> {
  const { poolId } = lane;
  const left = await before.acted;
  const isAhead = left !== undefined && isCurrent(left) && !o.shared.has(poolId);
  let isRetry = false;
  let ready: GettingReady | undefined;
  let early: PoolTx | undefined;
  const written = o.database.transaction(async (tx) => {
    if (isRetry) o.folds.drop(poolId);
    // a conflict at its end: whoever got ready meanwhile waits for it, and may hold what it would need again
    if (ready?.hasActed()) throw new MakeWay();
    const gate = gated(tx);
    const ahead = isAhead && !isRetry ? aheadOf(o, gate.tx, left) : undefined;
    early = ahead;
    try {
      ready = getReady(tx, gate.tx, ahead, o.clock);
      batch.forEach(ready.take);
      // the membership of a batch that is run again is settled; another one may be getting ready by then
      const wasWritten = isRetry ? await before.isWritten : await joinedUntil(before.isWritten, lane, batch, ready.take);
      isRetry = true;
      await ready.prepared();
      if (!wasWritten) throw new MakeWay();
      const locking = lockPool(tx, poolId);
      gate.open();
      const locked = Promise.all([locking, ready.lock()]).then(([row, isAsTaken]) => {
        const isAlone = noteShared(o, poolId, left, row);
        const now = row ? o.clock.read(row.databaseNow) : 0;
        if (ahead && !(isAlone && isAsTaken)) {
          o.folds.drop(poolId);
          throw new MakeWay();
        }
        if (ahead) ahead.isAhead = false;
        return row && { row, now };
      });
      unawaited(locked);
      // where all is done by now, it is written behind the lock at once, and the commit waits for what the lock says
      tx.beforeCommit(async () => void (await locked));
      const pool = ahead ?? (await poolIn(o, gate.tx, await locked));
      if (ahead && !(await ready.hasAllActed())) ahead.tick((await locked)!.now);
      if (pool) pruneFold(pool.fold, pool.now);
      const outcomes = await ready.act(pool);
      onActed(pool && { row: pool.rowAfter, fold: pool.fold, now: pool.now });
      if (pool) tx.beforeCommit(() => unawaited(pool.flush()));
      return outcomes;
    } catch (error) {
      gate.close(error);
      throw error;
    }
  });
  try {
    return await written;
  } catch (error) {
    // it may be no fault but come of what was taken to be and is not
    if (!early?.isAhead || error instanceof StoreUnavailable) throw error;
    o.folds.drop(poolId);
    throw new MakeWay();
  }
}

/** Not where time would go back for the pool: between two answers of the database its clock is behind, by as long as the last one took. */
function aheadOf({ clock }: TurnOptions, tx: Tx, left: Left): PoolTx | undefined {
  const now = clock.now();
  return now < left.now ? undefined : PoolTx.ahead(tx, left, now);
}

async function poolIn({ folds }: TurnOptions, tx: Tx, locked: { row: PoolRow; now: number } | undefined): Promise<PoolTx | undefined> {
  return locked && new PoolTx(tx, locked.row, await folds.caughtUp(tx, locked.row, locked.now), locked.now);
}

/** Whether the pool is as the batch before left it, as far as that is known. */
function noteShared({ shared }: TurnOptions, poolId: string, left: Left | undefined, row: PoolRow | undefined): boolean {
  if (!left) return true;
  const isAlone = row !== undefined && isAsLeft(row, left.row);
  const turns = isAlone ? (shared.get(poolId) ?? 0) - 1 : limits.sharedTurns;
  if (turns > 0) shared.set(poolId, turns);
  else shared.delete(poolId);
  return isAlone;
}

/** Until the batch before is written, whoever comes joins this one; false if that one failed. */
async function joinedUntil(isBeforeWritten: Promise<boolean>, lane: Lane, batch: Item[], take: (item: Item) => void): Promise<boolean> {
  lane.join = (item) => {
    if (batch.length >= limits.batchMax) return false;
    batch.push(item);
    take(item);
    return true;
  };
  const wasWritten = await isBeforeWritten;
  lane.join = undefined;
  return wasWritten;
}
