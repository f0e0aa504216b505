import { askOf } from './choice/ask.ts';
import { choose, type Pick, roomLost } from './choice/choose.ts';
import { claimsOf } from './choice/claims-of.ts';
import { Pool } from './choice/pool.ts';
import { preempt } from './choice/preempt.ts';
import { longestExtension } from './fold/extension.ts';
import type { Ledger } from './ledger.ts';
import type { NodeShape } from './node.ts';
import { planQueue } from './queue.ts';
import type { PlacementRequest } from './request.ts';
import { capacityOf } from './report/capacity-of.ts';
import { everFits, refuse } from './report/refuse.ts';

/** `seed` shuffles the node order. */
export function createLedger(o: { seed: number; nodes?: readonly NodeShape[] }): Ledger {
  const pool = new Pool(o.seed);
  const { fold } = pool;
  for (const node of o.nodes ?? []) fold.setNode(node);
  const rowOf = (claimId: string) => {
    const row = fold.row(claimId);
    if (!row) throw new RangeError(`claim ${claimId} is not there`);
    return row;
  };
  const tryPlace = (request: PlacementRequest, now: number) => {
    const ask = askOf(request, now);
    const { picks, isProven } = choose(pool, ask);
    const placed = (found: readonly Pick[]) => ({ ok: true as const, claims: claimsOf(ask, found), roomLostGpus: roomLost(pool, ask, found) / 1000 });
    return { ask, picks, placed, refused: () => ({ ok: false as const, refusal: refuse(pool, request, ask, isProven) }) };
  };
  return {
    setNode: (node) => fold.setNode(node),
    removeNode: (nodeId) => fold.removeNode(nodeId),
    claim: (claim) => fold.claim(claim),
    end: (claimId, at) => fold.end(claimId, at),
    extend(claimId, to) {
      const row = rowOf(claimId);
      if (to < row.to || to > longestExtension([row])) return false;
      fold.moveEnd(row, to);
      return true;
    },
    longestExtension(claimIds, keepFree = []) {
      const rows = claimIds.map(rowOf);
      const kept = keepFree.map((claim, i) => ({ ...claim, claimId: `kept ${i}` }));
      for (const claim of kept) fold.claim(claim);
      const until = longestExtension(rows);
      for (const claim of kept) fold.end(claim.claimId, -Infinity);
      return until;
    },
    place(request, now) {
      const { picks, placed, refused } = tryPlace(request, now);
      return picks ? placed(picks) : refused();
    },
    placePreempting(request, now) {
      const { ask, picks, placed, refused } = tryPlace(request, now);
      if (picks) return { ...placed(picks), preempts: [] };
      const found = ask.spot ? undefined : preempt(pool, ask);
      return found ? { ...placed(found.picks), preempts: found.preempts } : refused();
    },
    everFits: (request) => everFits(pool, askOf(request, request.startsAt)),
    planQueue: (waiting, now) => planQueue(pool, waiting, now),
    capacity: (now) => capacityOf(pool, now),
    learn(request) {
      const { parts, unit } = askOf(request, 0);
      pool.future.learn(parts, unit);
    },
    prune: (before) => fold.prune(before),
  };
}
