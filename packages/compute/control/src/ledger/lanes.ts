import type { Database } from '@kit/store';
import { limits } from '../limits.ts';
import { refuse } from '../refuse.ts';
import { createClock } from './clock.ts';
import type { Folds } from './folds.ts';
import { begin, nothingBefore, type Turn, type TurnOptions } from './turn.ts';
import type { Item, Lane, Work } from './work.ts';

export interface Lanes {
  /** Runs the work under the pool's lock; works that wait for the same pool share one transaction (group commit, compute.md §5.3). */
  run<P, R>(poolId: string, work: Work<P, R>): Promise<R>;
}

export interface LanesOptions {
  database: Database;
  folds: Folds;
  /** Epoch milliseconds; default: the database's. */
  clock: (() => number) | undefined;
}

export function createLanes({ database, folds, clock }: LanesOptions): Lanes {
  const o: TurnOptions = { database, folds, clock: createClock(clock, () => performance.now()), shared: new Map() };
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
