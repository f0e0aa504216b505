/** GPUs and host resources of one node for the time [from, to), epoch milliseconds; `to` may be Infinity (compute.md §5.3). */
export interface Claim {
  claimId: string;
  /** What is pre-empted together; a claim without it stands alone. */
  reservationId?: string;
  nodeId: string;
  /** May be empty: host resources only. */
  gpuUuids: readonly string[];
  from: number;
  to: number;
  vcpu: number;
  memoryGiB: number;
  spot?: boolean;
}

/** A claim that `place` proposes: nothing is claimed until the caller gives it an id and calls `claim`. */
export interface PlacedClaim extends Omit<Claim, 'claimId' | 'reservationId'> {
  /** Which of the request's `requests` it serves. */
  requestIndex: number;
  /** The domain all its GPUs share; null when they share none or it is not known. */
  nvlinkDomain: string | null;
}

/** The last line inside the process: a claim that would book a GPU twice. It must never be thrown (compute.md §5.3). */
export class DoubleClaim extends Error {
  readonly claimId: string;
  readonly otherClaimId: string;
  readonly gpuUuid: string;
  constructor(claimId: string, otherClaimId: string, gpuUuid: string) {
    super(`claim ${claimId} overlaps claim ${otherClaimId} on GPU ${gpuUuid}`);
    this.claimId = claimId;
    this.otherClaimId = otherClaimId;
    this.gpuUuid = gpuUuid;
  }
}
