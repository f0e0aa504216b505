import { refusalOf } from '@kit/operation';
import { type Tx, unawaited } from '@kit/store';
import type { Clock } from './clock.ts';
import type { PoolTx } from './pool-tx.ts';
import type { Item } from './work.ts';

export type Outcome = { value: unknown } | { refusal: unknown };
type Prepared = PromiseSettledResult<unknown>;

/** The calls of one transaction, on their way to their outcomes. */
export interface GettingReady {
  /** Sends what the call reads first. With `ahead`, it acts as soon as that is there, if it can. */
  take(item: Item): void;
  /** All that was read first is there. */
  prepared(): Promise<void>;
  hasActed(): boolean;
  /** Once those that can have acted early: whether that was all of them. */
  hasAllActed(): Promise<boolean>;
  /** Asks for what is locked beside the pool; false where a call that acted early took it to be otherwise. */
  lock(): Promise<boolean>;
  /** Outcomes in the order in which the calls were taken. */
  act(pool: PoolTx | undefined): Promise<Outcome[]>;
}

/** `tx`: for what is read first; `lockedTx`: for everything else. */
export function getReady(tx: Tx, lockedTx: Tx, ahead: PoolTx | undefined, clock: Clock): GettingReady {
  const items: Item[] = [];
  const preparing: Promise<Prepared>[] = [];
  let prepared: Prepared[] = [];
  const outcomes: Outcome[] = [];
  /** Places of those that acted early. */
  const early = new Set<number>();
  let acting = Promise.resolve();
  let hasActed = false;

  async function actEarly(item: Item, place: number): Promise<void> {
    const read = await preparing[place]!;
    if (!isEarly(item, read)) return;
    hasActed = true;
    early.add(place);
    // who comes while it waits asks of what is then
    ahead?.tick(clock.now());
    outcomes[place] = await outcomeOf(item, lockedTx, ahead, read);
  }

  /** Alike in all processes and pools, as calls lock things of their tenants. */
  function order(): number[] {
    const by = items.map(({ work }, i) => {
      const one = prepared[i]!;
      return one.status === 'fulfilled' ? (work.order?.(one.value) ?? '') : '';
    });
    return items.map((_, i) => i).sort((a, b) => (by[a]! < by[b]! ? -1 : by[a]! > by[b]! ? 1 : a - b));
  }

  return {
    take(item) {
      const place = items.push(item) - 1;
      preparing.push(Promise.allSettled([item.work.prepare(tx)]).then(([one]) => one));
      if (!ahead) return;
      // one after the other, as under the lock
      acting = acting.then(() => actEarly(item, place));
      unawaited(acting);
    },
    async prepared() {
      prepared = await Promise.all(preparing);
    },
    hasActed: () => hasActed,
    async hasAllActed() {
      await acting;
      return items.every((_, i) => outcomes[i] !== undefined);
    },
    async lock() {
      const locks = order().map(async (i) => {
        const [item, read] = [items[i]!, prepared[i]!];
        const isAsTaken = read.status === 'fulfilled' ? await item.work.lock?.(lockedTx, read.value) : undefined;
        return isAsTaken !== false || !early.has(i);
      });
      return (await Promise.all(locks)).every((holds) => holds);
    },
    async act(pool) {
      await acting;
      for (const i of order()) outcomes[i] ??= await outcomeOf(items[i]!, lockedTx, pool, prepared[i]!);
      hasActed = true;
      return outcomes;
    },
  };
}

const isEarly = ({ work }: Item, read: Prepared): boolean => read.status === 'fulfilled' && work.isEarly?.(read.value) === true;

/** A refusal belongs to its call; anything else ends the transaction. */
async function outcomeOf(item: Item, tx: Tx, pool: PoolTx | undefined, read: Prepared): Promise<Outcome> {
  try {
    if (read.status === 'rejected') throw read.reason;
    return { value: await item.work.act(tx, pool, read.value) };
  } catch (error) {
    if (!refusalOf(error)) throw error;
    return { refusal: error };
  }
}
