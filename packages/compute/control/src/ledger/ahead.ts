import { type Tx, unawaited } from '@kit/store';
import type { PoolRow } from '../pools/store.ts';
import type { PoolFold } from './folds.ts';

/** What a batch leaves of its pool: the next one acts on it before it is written, and looks under the lock whether that still holds. */
export interface Left {
  readonly row: PoolRow;
  readonly fold: PoolFold;
  /** Of its last call. */
  readonly now: number;
}

/** A reader may have taken up what another process did meanwhile. */
export const isCurrent = ({ row, fold }: Left): boolean => fold.seq === row.seq && fold.nodeSeq === row.nodeSeq;

export const isAsLeft = (row: PoolRow, left: PoolRow): boolean => row.seq === left.seq && row.nodeSeq === left.nodeSeq && row.version === left.version;

/** A transaction whose statements wait until it is opened, and then leave in the order in which they were asked for. */
export function gated(tx: Tx): { tx: Tx; open(): void; close(error: unknown): void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  unawaited(promise);
  let isOpen = false;
  const behind =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      isOpen ? ask(...args) : promise.then(() => ask(...args));
  return {
    tx: { ...tx, rows: behind(tx.rows) as Tx['rows'], one: behind(tx.one) as Tx['one'], run: behind(tx.run) },
    open() {
      isOpen = true;
      resolve();
    },
    close: reject,
  };
}
