import { askOf } from './ask.ts';
import { capacityOf } from './capacity-of.ts';
import { choose, claimsOf } from './choose.ts';
import { longestExtension } from './extension.ts';
import { Fold } from './fold.ts';
import type { Ledger } from './ledger.ts';
import type { NodeShape } from './node.ts';
import { placePreempting } from './preempt.ts';
import { planQueue } from './queue.ts';
import type { PlaceResult } from './refusal.ts';
import { refuse } from './refuse.ts';
import type { PlacementRequest } from './request.ts';

/** `seed` shuffles the node order. */
export function createLedger(o: { seed: number; nodes?: readonly NodeShape[] }): Ledger {
  const fold = new Fold(o.seed);
  for (const node of o.nodes ?? []) fold.setNode(node);
  const rowOf = (claimId: string) => {
    const row = fold.row(claimId);
    if (!row) throw new RangeError(`claim ${claimId} is not there`);
    return row;
  };
  const place = (request: PlacementRequest, now: number): PlaceResult => {
    const ask = askOf(request, now);
    const picks = choose(fold, ask);
    return picks ? { ok: true, claims: claimsOf(ask, picks), roomLostGpus: 0 } : { ok: false, refusal: refuse(fold, request, ask) };
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
    place,
    placePreempting: (request, now) => placePreempting(fold, request, now, place),
    planQueue: (waiting, now) => planQueue(fold, waiting, now),
    capacity: (now) => capacityOf(fold, now),
    learn() {},
    prune: (before) => fold.prune(before),
  };
}
