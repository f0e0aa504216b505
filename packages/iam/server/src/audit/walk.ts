import type { Queryable } from '@kit/store';
import { type ChainFailure, type ChainPosition, genesis, verifyChain } from '@better-iam/core';
import { eventsAfter, headOf } from './store.ts';

export interface WalkLimits {
  /** Read and hashed at once: so long nobody else is served. */
  page: number;
  /** Checked in one walk, in whole pages; the rest is the next walk's. */
  eventsMax: number;
}

export type Walked =
  | { ok: true; events: number; hash: string; nextAfter: number | null }
  | { ok: false; events: number; failure: ChainFailure; sequence: number; nextAfter: null };

/**
 * A piece of the chain from the event after `after`, page by page, against the head as it was when the walk began: events that come meanwhile are the
 * next walk's. Whoever rewrites what an earlier walk has passed breaks the link that the next one begins with.
 */
export async function walkChain(q: Queryable, tenantId: string, after: number, { page, eventsMax }: WalkLimits): Promise<Walked> {
  const head = (await headOf(q, tenantId)) ?? genesis;
  const first = await anchorOf(q, tenantId, after);
  if (!first) return { ok: false, events: 0, failure: 'sequence-gap', sequence: after, nextAfter: null };
  let last = first;
  for (;;) {
    const events = (await eventsAfter(q, tenantId, last.sequence, page)).filter((event) => event.sequence <= head.sequence);
    const isLast = events.length < page;
    const verdict = verifyChain(events, { after: last, ...(isLast ? { head } : {}) });
    if (!verdict.ok) {
      const { failure, sequence } = verdict;
      return { ok: false, events: Math.max(0, sequence - 1 - first.sequence), failure, sequence, nextAfter: null };
    }
    last = verdict.head;
    const checked = last.sequence - first.sequence;
    if (isLast || checked >= eventsMax) return { ok: true, events: checked, hash: last.hash, nextAfter: isLast ? null : last.sequence };
  }
}

async function anchorOf(q: Queryable, tenantId: string, after: number): Promise<ChainPosition | undefined> {
  if (after === 0) return genesis;
  const [event] = await eventsAfter(q, tenantId, after - 1, 1);
  return event?.sequence === after ? event : undefined;
}
