import { type Ask, askOf } from './choice/ask.ts';
import { choose, type Pick } from './choice/choose.ts';
import { claimsOf } from './choice/claims-of.ts';
import type { Pool } from './choice/pool.ts';
import type { PlacedClaim } from './claim.ts';
import { QUEUE_HELD_MAX, QUEUE_LOOK_MAX } from './limits.ts';
import { earliestStart } from './report/earliest.ts';
import { everFits } from './report/refuse.ts';
import type { PlacementRequest } from './request.ts';

/** A request in the queue of a lease pool. */
export interface Waiting {
  id: string;
  /** Higher goes first; then the earlier arrival, then the id. */
  priority: number;
  arrivedAt: number;
  request: PlacementRequest;
}

/** What to do with a queue at one moment (compute.md §5.3). */
export interface QueuePlan {
  /** To be claimed now (a calendar request: for then), in this order; they fit together and take nothing from `held`. */
  starts: { id: string; claims: PlacedClaim[] }[];
  /** The first that must wait: their guaranteed start and the GPUs that are kept free for it. */
  held: { id: string; startsAt: number; claims: PlacedClaim[] }[];
  /** Would not fit in the empty pool. */
  neverFit: string[];
  /** Who still waits after this, in order. */
  waiting: string[];
}

/**
 * Order is priority, then arrival. Whoever comes first and does not fit now is promised its earliest start: nothing behind it is placed
 * where it would delay that. Others may go ahead where they do not (backfill). The promise holds over time as long as extensions are
 * asked for with `held` as `keepFree`.
 */
export function planQueue(pool: Pool, waiting: readonly Waiting[], now: number): QueuePlan {
  const plan: QueuePlan = { starts: [], held: [], neverFit: [], waiting: [] };
  const scratch = new Scratch(pool);
  const inTurn = [...waiting].sort(byTurn);
  for (const { id, request } of inTurn.slice(0, QUEUE_LOOK_MAX)) {
    const ask = askOf(request, now);
    const picks = scratch.choose(request, ask);
    if (picks) {
      plan.starts.push({ id, claims: scratch.book(ask, picks) });
      continue;
    }
    const start = plan.held.length < QUEUE_HELD_MAX ? earliestStart(pool, ask).start : undefined;
    if (start) plan.held.push({ id, startsAt: start.at, claims: scratch.book(start.ask, start.picks) });
    if (start || everFits(pool, ask)) plan.waiting.push(id);
    else plan.neverFit.push(id);
  }
  scratch.clear();
  plan.waiting.push(...inTurn.slice(QUEUE_LOOK_MAX).map(({ id }) => id));
  return plan;
}

function byTurn(a: Waiting, b: Waiting): number {
  return b.priority - a.priority || a.arrivedAt - b.arrivedAt || (a.id < b.id ? -1 : 1);
}

/** The pool with what the plan gives away claimed for as long as it is made: room only shrinks meanwhile. */
class Scratch {
  private readonly pool: Pool;
  private readonly booked: string[] = [];
  /** By everything but the duration, the shortest that found no room from now on: longer ones need not be tried. */
  private readonly refusedMs = new Map<string, number>();

  constructor(pool: Pool) {
    this.pool = pool;
  }

  choose(request: PlacementRequest, ask: Ask): Pick[] | undefined {
    const key = JSON.stringify([request.requests, request.vcpu, request.memoryGiB, ask.wholeNodes, ask.isNow || ask.from]);
    if ((this.refusedMs.get(key) ?? Infinity) <= request.durationMs) return undefined;
    const { picks } = choose(this.pool, ask);
    if (!picks) this.refusedMs.set(key, request.durationMs);
    return picks;
  }

  book(ask: Ask, picks: readonly Pick[]): PlacedClaim[] {
    const claims = claimsOf(ask, picks);
    for (const claim of claims) {
      const claimId = `plan ${this.booked.length}`;
      this.pool.fold.claim({ ...claim, claimId });
      this.booked.push(claimId);
    }
    return claims;
  }

  clear(): void {
    for (const claimId of this.booked) this.pool.fold.end(claimId, -Infinity);
  }
}
