import type { Capacity } from './capacity.ts';
import type { Claim, PlacedClaim } from './claim.ts';
import type { NodeShape } from './node.ts';
import type { QueuePlan, Waiting } from './queue.ts';
import type { PlaceResult, PreemptResult } from './refusal.ts';
import type { PlacementRequest } from './request.ts';

/**
 * The fold of one pool's ledger over time, and what can be placed in it (compute.md §5.3–5.5). Deterministic: the same seed, nodes and claims
 * give the same answers. Nothing here reads a clock; `now` is epoch milliseconds.
 */
export interface Ledger {
  /** Adds a node or takes its new state. Claims of GPUs that are gone from it are remembered until they end. */
  setNode(node: NodeShape): void;
  removeNode(nodeId: string): void;
  /** Throws `DoubleClaim` when a GPU is taken in that time. A node or GPU not known yet is remembered as not usable. */
  claim(claim: Claim): void;
  /** Ends a claim at `at` (before its start: as if it never was). A claim that is not there, or ends earlier, stays as it is. */
  end(claimId: string, at: number): void;
  /** True and done iff the same GPUs and host resources are free for the added time. Never shortens. Throws RangeError for a claim that is not there. */
  extend(claimId: string, to: number): boolean;
  /**
   * The latest end all these claims can have together, Infinity when nothing follows. `keepFree` is left alone too: the `held` claims of the
   * pool's queue plan. Throws RangeError for a claim that is not there.
   */
  longestExtension(claimIds: readonly string[], keepFree?: readonly PlacedClaim[]): number;
  /** Where the request goes at its start, or why nowhere; claims nothing. */
  place(request: PlacementRequest, now: number): PlaceResult;
  /** Whether the same nodes with nothing claimed, all ready and healthy, would hold it (or that was not disproved): cheaper than a report. */
  everFits(request: PlacementRequest): boolean;
  /** As `place`; when there is no room, the smallest set of spot reservations found whose end makes room. Ends nothing. */
  placePreempting(request: PlacementRequest, now: number): PreemptResult;
  /** What of a queue starts now, and what is promised to those that wait; claims nothing. */
  planQueue(waiting: readonly Waiting[], now: number): QueuePlan;
  capacity(now: number): Capacity;
  /** Counts the request's shape: what is asked for often keeps its room longest. */
  learn(request: PlacementRequest): void;
  /** Forgets claims that ended at or before this moment. */
  prune(before: number): void;
}
