import type { PlacedClaim } from './claim.ts';

/** What one constraint took away from what the constraints before it had left. */
export interface ConstraintLoss {
  constraint: string;
  nodesRemoved: number;
  gpusRemoved: number;
}

/** One change to the request that fits when tried at the same `now`, the smallest of those tried; every changed value is in it. `text` is the change in words. */
export type Change = { text: string } & (
  | { kind: 'fewer-gpus'; requestIndex: number; count: number; vcpu: number; memoryGiB: number }
  | { kind: 'other-product'; requestIndex: number; product: string }
  | { kind: 'no-nvlink'; requestIndex: number }
  | { kind: 'without-selector'; requestIndex: number; selectorIndex: number }
  | { kind: 'shorter'; durationMs: number }
  | { kind: 'less-host'; vcpu: number; memoryGiB: number }
);

/** Why a request has no place (compute.md §5.4). */
export interface Refusal {
  /** NEVER_FITS: not even in the same pool with nothing claimed and every node ready. */
  kind: 'NO_CAPACITY' | 'NEVER_FITS';
  constraints: ConstraintLoss[];
  smallestChange?: Change;
  /** The first moment it fits exactly as asked, if claims end as they are booked now. Absent when no booked end brings it. */
  earliestStart?: number;
  /** How long the GPUs found at `earliestStart` stay free from then on, at most 365 days. */
  holdMs?: number;
  /** The search for a gang was cut off: a place may exist. */
  notProven?: true;
  /** The whole of it in words a person can act on. */
  text: string;
}

export type PlaceResult = { ok: true; claims: PlacedClaim[]; roomLostGpus: number } | { ok: false; refusal: Refusal };

/** As `PlaceResult`; `preempts` are reservation ids (claim ids of claims that stand alone), each of them needed. */
export type PreemptResult = { ok: true; claims: PlacedClaim[]; preempts: string[]; roomLostGpus: number } | { ok: false; refusal: Refusal };
