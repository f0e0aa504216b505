import type { Confirmation } from '@better-iam/contract';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { accessDenied } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import { confirmationOf } from './record.ts';
import type { Signals } from './signals.ts';
import { findConfirmation, listConfirmationRows } from './store.ts';

interface Inbox {
  tenantId: string;
  subjectId: string;
  /** Ids whose state has to be read, in order of the news. */
  news: Set<string>;
  /** When each open one lapses. */
  lapses: Map<string, number>;
  wake: () => void;
}

const openMax = limits.watchQueueMax;

/**
 * One event whenever a confirmation put to the caller is filed, decided, used or lapses. The caller is asked for anew every 15 s and at each piece of
 * news; the stream ends when they are no longer let in (invariant 6).
 */
export async function watchConfirmations(
  plane: Plane,
  signals: Signals,
  token: string | undefined,
  transport: Transport,
): Promise<AsyncIterable<Confirmation>> {
  const caller = await authenticate(plane, plane.db, token);
  if (caller.bearer.kind !== 'user') throw accessDenied();
  const inbox: Inbox = { tenantId: caller.bearer.tenantId, subjectId: caller.identity.id, news: new Set(), lapses: new Map(), wake: () => {} };
  // listening before reading: what happens in between is seen twice rather than never
  const stop = signals.all((event) => {
    if (event.subjectId !== inbox.subjectId || event.tenantId !== inbox.tenantId) return;
    inbox.news.add(event.confirmationId);
    inbox.wake();
  });
  try {
    await readOpen(plane, inbox, caller.now);
  } catch (error) {
    stop();
    throw error;
  }
  return stream(plane, token, inbox, stop, transport.signal);
}

async function readOpen(plane: Plane, inbox: Inbox, now: number): Promise<void> {
  for (const status of ['pending', 'approved']) {
    const rows = await listConfirmationRows(plane.db, { ...inbox, agentId: null, delegationId: null, status, take: openMax, skip: 0 });
    for (const row of rows) if (row.expiresAt > now) inbox.lapses.set(row.id, row.expiresAt);
  }
}

/** By hand and not a generator: `return` must end a stream that is waiting. */
function stream(plane: Plane, token: string | undefined, inbox: Inbox, stop: () => void, signal: AbortSignal | undefined): AsyncIterable<Confirmation> {
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stop();
    inbox.wake();
  };
  signal?.addEventListener('abort', end, { once: true });
  const ready: Confirmation[] = [];

  async function next(): Promise<IteratorResult<Confirmation>> {
    for (;;) {
      const item = isOver ? undefined : ready.shift();
      if (item) return { done: false, value: item };
      if (isOver) return { done: true, value: undefined };
      const now = (await authenticate(plane, plane.db, token)).now;
      ready.push(...(await changed(plane, inbox, now)));
      if (ready.length === 0 && !isOver) await quiet(inbox, now);
    }
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        next().catch((error: unknown) => {
          end();
          throw error;
        }),
      return: async () => {
        end();
        return { done: true, value: undefined };
      },
    }),
  };
}

async function changed(plane: Plane, inbox: Inbox, now: number): Promise<Confirmation[]> {
  for (const [id, expiresAt] of inbox.lapses) if (expiresAt <= now) inbox.news.add(id);
  const ids = [...inbox.news];
  inbox.news.clear();
  const out: Confirmation[] = [];
  for (const id of ids) {
    const row = await findConfirmation(plane.db, inbox.tenantId, id);
    if (row?.subjectId !== inbox.subjectId) continue;
    const record = confirmationOf(row, now, 'approver');
    inbox.lapses.delete(id);
    if ((record.status === 'pending' || record.status === 'approved') && !record.expired) inbox.lapses.set(id, record.expiresAt);
    out.push(record);
  }
  return out;
}

/** Until there is news, something lapses, or it is time to ask for the caller again. */
function quiet(inbox: Inbox, now: number): Promise<void> {
  const ms = Math.min(limits.recheckMs, ...[...inbox.lapses.values()].map((at) => Math.max(1, at - now)));
  return new Promise((resolve) => {
    if (inbox.news.size > 0) return resolve();
    const timer = setTimeout(done, ms);
    timer.unref();
    function done(): void {
      clearTimeout(timer);
      inbox.wake = () => {};
      resolve();
    }
    inbox.wake = done;
  });
}
