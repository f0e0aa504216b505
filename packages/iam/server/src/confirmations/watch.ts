import type { Confirmation } from '@better-iam/contract';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { accessDenied } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import { openDeputyships } from '../deputies/store.ts';
import { authenticateCaller } from '../identified.ts';
import { seesConfirmation } from './approver.ts';
import { confirmationOf } from './record.ts';
import type { Signals } from './signals.ts';
import { type ConfirmationRow, findConfirmation, listConfirmationRows } from './store.ts';

interface Inbox {
  tenantId: string;
  subjectId: string;
  /** By id, whose deputy the caller is: those are put to them too. */
  deputyships: Map<string, string>;
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
  const caller = await authenticateCaller(plane, token, transport);
  if (caller.bearer.kind !== 'user') throw accessDenied();
  const inbox: Inbox = {
    tenantId: caller.bearer.tenantId,
    subjectId: caller.identity.id,
    deputyships: new Map(),
    news: new Set(),
    lapses: new Map(),
    wake: () => {},
  };
  // listening before reading: what happens in between is seen twice rather than never
  const stop = signals.all((event) => {
    if (event.tenantId !== inbox.tenantId || !isTold(inbox, event.subjectId)) return;
    inbox.news.add(event.confirmationId);
    inbox.wake();
  });
  try {
    for (const row of await readOpen(plane, inbox, caller.now)) inbox.lapses.set(row.id, row.expiresAt);
  } catch (error) {
    stop();
    throw error;
  }
  return stream(plane, token, inbox, stop, transport.signal);
}

const isTold = ({ subjectId, deputyships }: Inbox, personId: string): boolean => personId === subjectId || [...deputyships.values()].includes(personId);

async function readOpen(plane: Plane, inbox: Inbox, now: number): Promise<ConfirmationRow[]> {
  inbox.deputyships = new Map((await openDeputyships(plane.db, inbox.subjectId, now)).map(({ id, personId }) => [id, personId]));
  const whose = { tenantId: inbox.tenantId, subjectId: inbox.subjectId, agentId: null, delegationId: null };
  const open: ConfirmationRow[] = [];
  for (const status of ['pending', 'approved']) {
    const rows = await listConfirmationRows(plane.db, { ...whose, status, take: openMax, skip: 0, now });
    open.push(...rows.filter((row) => row.expiresAt > now));
  }
  return open;
}

/** Somebody has made the caller their deputy: what waits for it is news. */
async function readDeputyships(plane: Plane, inbox: Inbox, now: number): Promise<void> {
  const open = await openDeputyships(plane.db, inbox.subjectId, now);
  const isSame = open.length === inbox.deputyships.size && open.every(({ id }) => inbox.deputyships.has(id));
  if (isSame) return;
  for (const row of await readOpen(plane, inbox, now)) if (!inbox.lapses.has(row.id)) inbox.news.add(row.id);
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
      await readDeputyships(plane, inbox, now);
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
    if (!row || !(await seesConfirmation(plane.db, row, inbox.subjectId, now))) continue;
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
