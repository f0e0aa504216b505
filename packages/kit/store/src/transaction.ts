import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Isolation, TransactionOptions, Tx } from './database.ts';
import { StoreUnavailable, sqlState, unavailable } from './errors.ts';
import { limits } from './limits.ts';
import { insertEvents } from './outbox/events.ts';
import type { Pool } from './pool.ts';
import { command, execute } from './statement.ts';
import { unawaited } from './unawaited.ts';

const beginnings: Record<Isolation, string> = {
  'read-committed': 'begin isolation level read committed',
  'repeatable-read': 'begin isolation level repeatable read',
  serializable: 'begin isolation level serializable',
};

/** 40001 serialization failure, 40P01 deadlock: the whole of it may be run again. */
const isConflict = (e: unknown): boolean => ['40001', '40P01'].includes(sqlState(e) ?? '');

/** A table was changed by a migration under a prepared statement; a new connection prepares it anew. */
export const isStalePlan = (e: unknown): boolean => sqlState(e) === '0A000' && (e as pg.DatabaseError).routine === 'RevalidateCachedQuery';

interface Attempt {
  tx: Tx;
  failure: unknown;
  /** Topic, key and JSON of each event. */
  published: [string[], string[], string[]];
  endings: (() => Promise<void> | void)[];
  callbacks: (() => void)[];
  isOver: boolean;
}

function attemptOn(client: pg.ClientBase): Attempt {
  /** What comes after its end is told why it ended. */
  const checkOpen = (what: string): void => {
    if (attempt.isOver) throw attempt.failure ?? new Error(`the transaction is over: ${what} came after its end`);
  };
  async function statement<R extends object>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<R>> {
    checkOpen('a statement');
    try {
      return await execute<R>(client, text, values);
    } catch (e) {
      attempt.failure ??= e;
      throw e;
    }
  }
  const tx: Tx = {
    rows: async <R extends object>(text: string, values?: readonly unknown[]) => (await statement<R>(text, values)).rows,
    one: async <R extends object>(text: string, values?: readonly unknown[]) => (await statement<R>(text, values)).rows[0],
    run: async (text, values) => (await statement(text, values)).rowCount ?? 0,
    publish: async ({ topic, key, payload }) => {
      checkOpen('an event');
      try {
        const row = [topic, key, JSON.stringify(payload)];
        for (const [i, column] of attempt.published.entries()) column.push(row[i]!);
      } catch (e) {
        attempt.failure ??= e;
        throw e;
      }
    },
    beforeCommit: (fn) => {
      checkOpen('what was to be done before it');
      attempt.endings.push(fn);
    },
    afterCommit: (fn) => {
      attempt.callbacks.push(fn);
    },
  };
  const attempt: Attempt = { tx, failure: undefined, published: [[], [], []], endings: [], callbacks: [], isOver: false };
  return attempt;
}

async function commit(client: pg.ClientBase, attempt: Attempt): Promise<void> {
  const tag = await command(client, 'commit').catch((e: unknown) =>
    Promise.reject(e instanceof StoreUnavailable ? unavailable(e.cause ?? e, { outcomeUnknown: true }) : e),
  );
  // The server answers COMMIT of a failed transaction with ROLLBACK and no error.
  if (tag !== 'COMMIT') throw attempt.failure ?? new Error('the transaction was rolled back at its end');
}

async function once<T>(pool: Pool, begin: string, fn: (tx: Tx) => Promise<T>, onPublished: () => void): Promise<T> {
  return pool.use(async (client, discard) => {
    const attempt = attemptOn(client);
    // On its way together with the first statements. Where it fails there is no transaction: what came after them would stand, each by itself.
    const begun = command(client, begin).catch((e: unknown) => {
      attempt.failure = e;
      attempt.isOver = true;
      throw e;
    });
    unawaited(begun);
    try {
      const value = await fn(attempt.tx);
      await begun;
      // together, each sending its first statement in its turn; one of them may announce another
      while (attempt.endings.length > 0) await Promise.all(attempt.endings.splice(0).map(async (end) => end()));
      const hasPublished = attempt.published[0].length > 0;
      if (hasPublished) unawaited(attempt.tx.run(insertEvents, attempt.published));
      attempt.isOver = true;
      // one that never reached the server, which so knows nothing against the commit
      if (attempt.failure !== undefined) throw attempt.failure;
      await commit(client, attempt);
      if (hasPublished) onPublished();
      runAll(attempt.callbacks);
      return value;
    } catch (e) {
      attempt.isOver = true;
      const failure = attempt.failure;
      if (failure instanceof StoreUnavailable || e instanceof StoreUnavailable || isStalePlan(failure)) discard();
      else await command(client, 'rollback').catch(discard);
      // A caller may have wrapped the conflict in an error of its own: it still is one.
      throw isConflict(failure) || isStalePlan(failure) ? failure : e;
    }
  });
}

function runAll(callbacks: (() => void)[]): void {
  for (const fn of callbacks) {
    try {
      fn();
    } catch (e) {
      process.emitWarning(e instanceof Error ? e : String(e), { code: 'STORE_AFTER_COMMIT' });
    }
  }
}

export async function transact<T>(pool: Pool, fn: (tx: Tx) => Promise<T>, o: TransactionOptions, onPublished: () => void): Promise<T> {
  const begin = `${beginnings[o.isolation ?? 'read-committed']}${o.readOnly ? ' read only' : ''}`;
  const retriesMax = o.retriesMax ?? limits.retries;
  for (let retry = 0; ; retry++) {
    try {
      return await once(pool, begin, fn, onPublished);
    } catch (e) {
      if (!isConflict(e) && !isStalePlan(e)) throw e;
      if (retry >= retriesMax) throw new StoreUnavailable(`the transaction met other ones ${retry + 1} times`, { cause: e });
      await sleep(Math.random() * Math.min(limits.retryCeilingMs, limits.retryBaseMs * 2 ** retry));
    }
  }
}
