import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailable, unavailable } from './errors.ts';
import { limits } from './limits.ts';

export interface Pool {
  /** Runs `fn` with a connection of its own. After an outage, or when `fn` calls `discard`, the connection is not used again. */
  use<T>(fn: (client: pg.PoolClient, discard: () => void) => Promise<T>): Promise<T>;
  stats(): { total: number; idle: number; waiting: number };
  /** Lets running work end for a limited time, then cuts it. */
  end(): Promise<void>;
}

export function createPool(config: pg.ClientConfig, o: { max: number; acquireMs: number }): Pool {
  const pool = new pg.Pool({ ...config, max: o.max, connectionTimeoutMillis: o.acquireMs, idleTimeoutMillis: limits.idleMs });
  const clients = new Set<pg.PoolClient>();
  // An idle connection that dies is news to nobody: the next caller gets a new one or StoreUnavailable. Without a listener it would end the process.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    // the pool takes its own listener away while a connection is in use
    client.on('error', ignore);
    clients.add(client);
  });
  pool.on('remove', (client) => clients.delete(client));

  async function use<T>(fn: (client: pg.PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((e: unknown) => Promise.reject(unavailable(e)));
    let broken = false;
    try {
      return await fn(client, () => {
        broken = true;
      });
    } catch (e) {
      if (e instanceof StoreUnavailable) broken = true;
      throw e;
    } finally {
      client.release(broken);
    }
  }

  async function end(): Promise<void> {
    const cut = new AbortController();
    // a caller that never gives its connection back must not keep the process from ending
    await Promise.race([pool.end(), sleep(limits.closeMs, undefined, { signal: cut.signal }).catch(() => {})]);
    cut.abort();
    for (const client of clients) destroy(client);
  }

  return { use, end, stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }) };
}

/** Cuts a connection without asking the other side, which may be gone. */
export function destroy(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
