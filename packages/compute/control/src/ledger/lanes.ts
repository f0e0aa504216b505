import { refusalOf } from '@kit/operation';
import { type Database, StoreUnavailable, type Tx, unawaited } from '@kit/store';
import { limits } from '../limits.ts';
import { lockPool } from '../pools/store.ts';
import { refuse } from '../refuse.ts';
import { type Folds, pruneFold } from './folds.ts';
import { PoolTx } from './pool-tx.ts';

/** A call's part in a transaction. A refusal it throws is its own alone, so it refuses before it writes. */
export interface Work<Prepared, Result> {
  /** Reads that need no lock of the pool; those of a whole batch share round trips. */
  prepare(tx: Tx): Promise<Prepared>;
  /** Asks for what it locks beside the pool, right behind the lock of the pool. */
  lock?(tx: Tx, prepared: Prepared): void;
  /** `pool` is undefined when there is none of that id. */
  act(tx: Tx, pool: PoolTx | undefined, prepared: Prepared): Promise<Result>;
  /** Works of one batch run in this order, so that batches of different pools take the same locks alike. */
  order?(prepared: Prepared): string;
}

export interface Lanes {
  /** Runs the work under the pool's lock; works that wait for the same pool share one transaction (group commit, compute.md §5.3). */
  run<P, R>(poolId: string, work: Work<P, R>): Promise<R>;
}

interface Item {
  work: Work<unknown, unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { value: unknown } | { refusal: unknown };

interface LanesOptions {
  database: Database;
  folds: Folds;
  clock: (() => number) | undefined;
}

/** A batch on its way. */
interface Turn {
  /** All that it does is done in memory; what is left is to write it. */
  readonly acted: Promise<void>;
  /** False: it failed as a whole and is tried again, each call alone. */
  readonly isWritten: Promise<boolean>;
  /** Every call has its answer. */
  readonly over: Promise<void>;
}

const nothingBefore: Turn = { acted: Promise.resolve(), isWritten: Promise.resolve(true), over: Promise.resolve() };

/** Those who want one pool, while there are any. */
interface Lane {
  readonly poolId: string;
  readonly waiting: Item[];
  /** Takes one more into the batch that is getting ready; false if it is full. Undefined if there is none. */
  join: ((item: Item) => boolean) | undefined;
  onWaiting: () => void;
}

export function createLanes(o: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();

  async function drain(lane: Lane): Promise<void> {
    let turn = nothingBefore;
    while (lane.waiting.length > 0) {
      turn = begin(o, lane, lane.waiting.splice(0, sizeOf(lane, turn)), turn);
      await turn.acted;
      // who comes from here on gets ready while this one is written
      if (lane.waiting.length === 0) await Promise.race([turn.over, new Promise<void>((resolve) => (lane.onWaiting = resolve))]);
    }
    lanes.delete(lane.poolId);
  }

  return {
    run<P, R>(poolId: string, work: Work<P, R>): Promise<R> {
      return new Promise<R>((resolve, reject) => {
        const item = { work: work as Work<unknown, unknown>, resolve: resolve as Item['resolve'], reject };
        const lane = lanes.get(poolId);
        if (!lane) {
          const fresh: Lane = { poolId, waiting: [item], join: undefined, onWaiting: () => {} };
          lanes.set(poolId, fresh);
          // after the present turn of the event loop, so that calls which arrive together go together
          setImmediate(() => void drain(fresh));
        } else if (lane.join?.(item)) return;
        else if (lane.waiting.length < limits.laneMax) {
          lane.waiting.push(item);
          lane.onWaiting();
        } else reject(refuse('UNAVAILABLE', 'too many calls wait for this pool', undefined, limits.storeRetryMs));
      });
    },
  };
}

/** Of many who come at once half wait, so that one half is decided while the other is written: else nobody is ever ready meanwhile. */
const sizeOf = ({ waiting }: Lane, before: Turn): number =>
  before === nothingBefore ? Math.min(limits.batchMax, Math.max(limits.batchMin, Math.ceil(waiting.length / 2))) : limits.batchMax;

/** Thrown out of a transaction that is to start anew, alone: it must not wait for the batch before while it holds locks that one may need, or is that one. */
class MakeWay extends Error {}

function begin(o: LanesOptions, lane: Lane, batch: Item[], before: Turn, restarts = 0): Turn {
  const acted = Promise.withResolvers<void>();
  const isWritten = Promise.withResolvers<boolean>();
  const over = (async () => {
    try {
      settle(batch, await transact(o, lane, batch, before.isWritten, acted.resolve));
      isWritten.resolve(true);
    } catch (error) {
      if (!(error instanceof MakeWay)) o.folds.drop(lane.poolId);
      isWritten.resolve(false);
      await before.over;
      await again(o, lane, batch, error, restarts);
      acted.resolve();
    }
  })();
  return { acted: acted.promise, isWritten: isWritten.promise, over };
}

async function again(o: LanesOptions, lane: Lane, batch: Item[], failure: unknown, restarts: number): Promise<void> {
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

async function transact(o: LanesOptions, lane: Lane, batch: Item[], isBeforeWritten: Promise<boolean>, onActed: () => void): Promise<Outcome[]> {
  const { poolId } = lane;
  let isRetry = false;
  let hasActed = false;
  return o.database.transaction(async (tx) => {
    if (isRetry) o.folds.drop(poolId);
    // a conflict at its end: whoever got ready meanwhile waits for it, and may hold what it would need again
    if (hasActed) throw new MakeWay();
    const prepare = async ({ work }: Item): Promise<PromiseSettledResult<unknown>> => (await Promise.allSettled([work.prepare(tx)]))[0];
    const preparing = batch.map(prepare);
    // the membership of a batch that is run again is settled; another one may be getting ready by then
    const wasWritten = isRetry ? await isBeforeWritten : await joinedUntil(isBeforeWritten, lane, batch, (item) => preparing.push(prepare(item)));
    isRetry = true;
    const prepared = await Promise.all(preparing);
    if (!wasWritten) throw new MakeWay();
    const order = turns(batch, prepared);
    const locking = lockPool(tx, poolId);
    for (const i of order) askLocks(batch[i]!, tx, prepared[i]!);
    const row = await locking;
    const now = row ? (o.clock?.() ?? row.databaseNow) : 0;
    const fold = row && (await o.folds.caughtUp(tx, row, now));
    if (fold) pruneFold(fold, now);
    const pool = row && fold && new PoolTx(tx, row, fold, now);
    const outcomes: Outcome[] = [];
    for (const i of order) outcomes[i] = await outcomeOf(batch[i]!, tx, pool, prepared[i]!);
    hasActed = true;
    onActed();
    if (pool) tx.beforeCommit(() => unawaited(pool.flush()));
    return outcomes;
  });
}

/** Until the batch before is written, whoever comes joins this one; false if that one failed. */
async function joinedUntil(isBeforeWritten: Promise<boolean>, lane: Lane, batch: Item[], prepare: (item: Item) => void): Promise<boolean> {
  lane.join = (item) => {
    if (batch.length >= limits.batchMax) return false;
    batch.push(item);
    prepare(item);
    return true;
  };
  const wasWritten = await isBeforeWritten;
  lane.join = undefined;
  return wasWritten;
}

function turns(batch: Item[], prepared: PromiseSettledResult<unknown>[]): number[] {
  const order = batch.map((item, i) => {
    const settled = prepared[i]!;
    return settled.status === 'fulfilled' ? (item.work.order?.(settled.value) ?? '') : '';
  });
  return batch.map((_, i) => i).sort((a, b) => (order[a]! < order[b]! ? -1 : order[a]! > order[b]! ? 1 : a - b));
}

function askLocks({ work }: Item, tx: Tx, prepared: PromiseSettledResult<unknown>): void {
  if (prepared.status === 'fulfilled') work.lock?.(tx, prepared.value);
}

/** A refusal belongs to its call; anything else ends the transaction. */
async function outcomeOf(item: Item, tx: Tx, pool: PoolTx | undefined, prepared: PromiseSettledResult<unknown>): Promise<Outcome> {
  try {
    if (prepared.status === 'rejected') throw prepared.reason;
    return { value: await item.work.act(tx, pool, prepared.value) };
  } catch (error) {
    if (!refusalOf(error)) throw error;
    return { refusal: error };
  }
}
