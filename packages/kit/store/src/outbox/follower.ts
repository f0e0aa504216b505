import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { OutboxEvent } from '../database.ts';
import { StoreUnavailable, unavailable } from '../errors.ts';
import { limits } from '../limits.ts';
import { destroy } from '../pool.ts';
import { command } from '../statement.ts';
import { type Cursor, channel, readAfter } from './events.ts';
import { createSignal } from './signal.ts';

/** Reads the outbox for all subscribers of this process, over one connection of its own that also listens. */
export interface Follower {
  subscribe(fn: (e: OutboxEvent) => void): () => void;
  /** This process has committed events: read them now, and wake the other processes. */
  announce(): void;
  stop(): Promise<void>;
}

export interface FollowerOptions {
  config: pg.ClientConfig;
  from: Cursor;
  /** Runs before each new try to connect, after the first connection: the embedded server is started again here. */
  beforeReconnect?: (() => Promise<void>) | undefined;
}

export function createFollower(o: FollowerOptions): Follower {
  const subscribers = new Set<(e: OutboxEvent) => void>();
  const wake = createSignal();
  let cursor = o.from;
  const stopping = new AbortController();
  /** The newest connection, also one that is still being made, and the one that listens: undefined while there is none. */
  let newest: pg.Client | undefined;
  let client: pg.Client | undefined;
  let failures = 0;
  let isNotifying = false;
  let isOwed = false;

  function deliver(event: OutboxEvent): void {
    for (const fn of [...subscribers]) {
      try {
        fn(event);
      } catch (e) {
        process.emitWarning(e instanceof Error ? e : String(e), { code: 'STORE_SUBSCRIBER' });
      }
    }
  }

  async function listen(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...o.config, query_timeout: limits.followerQueryMs });
    newest = fresh;
    fresh.on('error', () => {
      if (client === fresh) client = undefined;
      wake.raise();
    });
    fresh.on('notification', (message) => {
      if (message.processId !== (fresh as unknown as { processID: number }).processID) wake.raise();
    });
    await fresh.connect().catch((e: unknown) => Promise.reject(unavailable(e)));
    await command(fresh, `listen ${channel}`);
    return fresh;
  }

  /** Until the connection is lost or the follower stopped; `heldMs` grows while events are kept back by an older transaction. */
  async function follow(current: pg.Client): Promise<void> {
    let heldMs: number = limits.retryBaseMs;
    while (!stopping.signal.aborted && client === current) {
      const batch = await readAfter(current, cursor);
      failures = 0;
      // before the subscribers run: an event is not given twice because one of them throws
      cursor = batch.next;
      for (const event of batch.events) deliver(event);
      if (batch.isFull && batch.events.length > 0) continue;
      if (batch.isHeld) {
        await wake.wait(heldMs);
        heldMs = Math.min(heldMs * 2, limits.heldCeilingMs);
      } else {
        heldMs = limits.retryBaseMs;
        await wake.wait(limits.pollMs);
      }
    }
  }

  async function run(): Promise<void> {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      try {
        if (!isFirst) await o.beforeReconnect?.();
        if (stopping.signal.aborted) return;
        client = await listen();
        if (isOwed && !isNotifying) void notify();
        await follow(client);
      } catch (e) {
        // lost, refused or without an answer: what is missed meanwhile is read from the cursor
        if (!(e instanceof StoreUnavailable)) process.emitWarning(e instanceof Error ? e : String(e), { code: 'STORE_FOLLOWER' });
      }
      client = undefined;
      if (newest) destroy(newest);
      const backoffMs = Math.random() * Math.min(limits.reconnectCeilingMs, limits.reconnectBaseMs * 2 ** failures++);
      await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function notify(): Promise<void> {
    isNotifying = true;
    while (isOwed && client) {
      isOwed = false;
      // a lost one costs the other processes a poll
      await client.query(`notify ${channel}`).catch(() => {});
    }
    isNotifying = false;
  }

  const running = run();
  return {
    subscribe: (fn) => {
      const own = (e: OutboxEvent): void => fn(e);
      subscribers.add(own);
      return () => {
        subscribers.delete(own);
      };
    },
    announce: () => {
      wake.raise();
      isOwed = true;
      if (!isNotifying) void notify();
    },
    stop: async () => {
      stopping.abort();
      wake.raise();
      if (newest) destroy(newest);
      await running;
    },
  };
}
