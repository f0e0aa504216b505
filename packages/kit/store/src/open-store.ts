import type { Database, TransactionOptions, Tx } from './database.ts';
import { type Address, clientConfig } from './connection.ts';
import { limits } from './limits.ts';
import { migrate } from './migrate/migrate.ts';
import { type Cursor, pruneEvents, selectStart } from './outbox/events.ts';
import { createFollower } from './outbox/follower.ts';
import { createPool, type Pool } from './pool.ts';
import { execute } from './statement.ts';
import { isStalePlan, transact } from './transaction.ts';

export interface StoreOptions {
  address: Address;
  engine: Database['engine'];
  poolMax?: number | undefined;
  /** Default: `limits.acquireMs`. */
  acquireMs?: number | undefined;
  applicationName?: string | undefined;
  beforeReconnect?: (() => Promise<void>) | undefined;
  /** Runs once, after the pool is closed. */
  onClose?: (() => Promise<void>) | undefined;
}

interface Facts extends Cursor {
  version: number;
  encoding: string;
}

const selectFacts = `
  select f.*, current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding from (${selectStart}) f`;

/** Why a server will not do, or undefined. */
export function refusalOf(facts: { version: number; encoding: string }): string | undefined {
  if (facts.version < 150_000) return `PostgreSQL 15 or newer is needed, the database is ${Math.floor(facts.version / 10_000)}`;
  if (facts.encoding !== 'UTF8') return `the database is encoded as ${facts.encoding}: create it with encoding UTF8`;
  return undefined;
}

async function factsOf(pool: Pool): Promise<Facts> {
  const facts = await pool.use(async (client) => (await execute<Facts>(client, selectFacts)).rows[0]);
  const refusal = facts ? refusalOf(facts) : 'the database does not say its version';
  if (!facts || refusal !== undefined) throw new Error(refusal);
  return facts;
}

export async function openStore(o: StoreOptions): Promise<Database> {
  const config = clientConfig(o.address, o.applicationName ?? 'better-compute');
  const pool = createPool(config, { max: o.poolMax ?? limits.poolMax, acquireMs: o.acquireMs ?? limits.acquireMs });
  try {
    const facts = await factsOf(pool);
    await migrate(pool, { schema: 'store', directory: new URL('./migrations/', import.meta.url) });
    return databaseOf(pool, createFollower({ config, from: facts, beforeReconnect: o.beforeReconnect }), Math.floor(facts.version / 10_000), o);
  } catch (e) {
    await pool.end();
    throw e;
  }
}

function databaseOf(pool: Pool, follower: ReturnType<typeof createFollower>, serverVersion: number, o: StoreOptions): Database {
  const statement = async <R extends object>(text: string, values?: readonly unknown[]) => {
    const once = () =>
      pool.use(async (client, discard) => {
        try {
          return await execute<R>(client, text, values);
        } catch (e) {
          if (isStalePlan(e)) discard();
          throw e;
        }
      });
    // refused before it ran: the next connection may be an old one as well, a new one prepares it anew
    for (let oldMax = pool.stats().total; ; oldMax--) {
      try {
        return await once();
      } catch (e) {
        if (!isStalePlan(e) || oldMax <= 0) throw e;
      }
    }
  };
  const one = async <R extends object>(text: string, values?: readonly unknown[]) => (await statement<R>(text, values)).rows[0];
  const run = async (text: string, values?: readonly unknown[]) => (await statement(text, values)).rowCount ?? 0;
  const closeAll = async () => {
    await follower.stop();
    await pool.end();
    await o.onClose?.();
  };
  let closing: Promise<void> | undefined;
  return {
    engine: o.engine,
    serverVersion,
    rows: async <R extends object>(text: string, values?: readonly unknown[]) => (await statement<R>(text, values)).rows,
    one,
    run,
    transaction: <T>(fn: (tx: Tx) => Promise<T>, options: TransactionOptions = {}) => transact(pool, fn, options, follower.announce),
    subscribe: follower.subscribe,
    pruneOutbox: (days) => run(pruneEvents, [days]),
    migrate: (set) => migrate(pool, set),
    nowMs: async () => (await one<{ at: number }>('select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at'))?.at ?? Number.NaN,
    health: () =>
      one('select 1 as ok').then(
        () => true,
        () => false,
      ),
    stats: pool.stats,
    close: () => (closing ??= closeAll()),
  };
}
