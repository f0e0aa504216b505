import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { OutboxEvent } from '../database.ts';
import { StoreUnavailable, unavailable } from '../errors.ts';
import { limits } from '../limits.ts';
import { destroy } from '../pool.ts';
import { command } from '../statement.ts';
import { type Cursor, channel, readAfter } from './events.ts';
import { createNotifier } from './notifier.ts';
import { createSignal } from './signal.ts';
import { createSubscribers } from './subscribers.ts';

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
  const subscribers = createSubscribers();
  const wake = createSignal();
  const stopping = new AbortController();
  /** The newest connection, also one that is still being made, and the one that listens: undefined while there is none. */
  let newest: pg.Client | undefined;
  let client: pg.Client | undefined;
  const notifier = createNotifier(() => client);
  let cursor = o.from;
  let failures = 0;

  /** Until the connection is lost or the follower stopped; `heldMs` grows while events are kept back by an older transaction. */
  async function follow(current: pg.Client): Promise<void> {
    let heldMs: number = limits.retryBaseMs;
    while (!stopping.signal.aborted && client === current) {
      const batch = await readAfter(current, cursor);
      failures = 0;
      // before the subscribers run: an event is not given twice because one of them throws
      cursor = batch.next;
      batch.events.forEach(subscribers.deliver);
      if (batch.isFull && batch.events.length > 0) continue;
      await wake.wait(batch.isHeld ? heldMs : limits.pollMs);
      heldMs = batch.isHeld ? Math.min(heldMs * 2, limits.heldCeilingMs) : limits.retryBaseMs;
    }
  }

  async function connectAndFollow(): Promise<void> {
    const fresh = new pg.Client({ ...o.config, query_timeout: limits.followerQueryMs });
    newest = fresh;
    fresh.on('error', () => {
      if (client === fresh) client = undefined;
      wake.raise();
    });
    await listen(fresh, wake.raise);
    client = fresh;
    notifier.flush();
    await follow(fresh);
  }

  async function run(): Promise<void> {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      try {
        if (!isFirst) await o.beforeReconnect?.();
        if (!stopping.signal.aborted) await connectAndFollow();
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

  const running = run();
  return {
    subscribe: subscribers.add,
    announce: () => {
      wake.raise();
      notifier.owe();
    },
    stop: async () => {
      stopping.abort();
      wake.raise();
      if (newest) destroy(newest);
      await running;
    },
  };
}

async function listen(client: pg.Client, onNotified: () => void): Promise<void> {
  client.on('notification', (message) => {
    // its own commits have woken it already
    if (message.processId !== (client as unknown as { processID: number }).processID) onNotified();
  });
  await client.connect().catch((e: unknown) => Promise.reject(unavailable(e)));
  await command(client, `listen ${channel}`);
}
