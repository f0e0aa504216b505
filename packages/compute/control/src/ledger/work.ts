import type { Tx } from '@kit/store';
import type { PoolTx } from './pool-tx.ts';

/** A call's part in a transaction. A refusal it throws is its own alone, so it refuses before it writes. */
export interface Work<Prepared, Result> {
  /** Reads that need no lock of the pool; those of a whole batch share round trips. */
  prepare(tx: Tx): Promise<Prepared>;
  /** Asks for what it locks beside the pool, right behind the lock of the pool; false where that is not as it took it to be when it acted early. */
  lock?(tx: Tx, prepared: Prepared): Promise<boolean>;
  /** `pool` is undefined when there is none of that id. */
  act(tx: Tx, pool: PoolTx | undefined, prepared: Prepared): Promise<Result>;
  /** Needs memory alone to act, most of the time: what it asks of the database all the same waits for the lock. */
  isEarly?(prepared: Prepared): boolean;
  /** Those of a batch that are not early run in this order, so that batches of different pools take the same locks alike. */
  order?(prepared: Prepared): string;
}

export interface Item {
  work: Work<unknown, unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Those who want one pool, while there are any. */
export interface Lane {
  readonly poolId: string;
  readonly waiting: Item[];
  /** Takes one more into the batch that is getting ready; false if it is full. Undefined if there is none. */
  join: ((item: Item) => boolean) | undefined;
  onWaiting: () => void;
}
