const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Every limit of the control plane that the contract does not already hold (compute.md §15). */
export const limits = Object.freeze({
  /** Calls that share one transaction of a pool. */
  batchMax: 64,
  /** So few go together even where half of them could wait for the other half. */
  batchMin: 8,
  /** A batch that conflicts at its end each time is refused after so many new starts. */
  batchRestarts: 10,
  /** Another process changed a pool: for so many turns its batches act under its lock alone. */
  sharedTurns: 16,
  /** Waiting for a pool's transaction; above it a call is refused rather than kept. */
  laneMax: 5_000,
  ledgerRowsAtOnce: 10_000,
  foldPruneMs: 60 * SECOND_MS,

  pageDefault: 50,
  scanRowsMax: 1_000,
  scanRowsAtOnce: 200,

  keyKeptMs: 7 * DAY_MS,
  endedKeptMs: 30 * DAY_MS,
  /** Longer than any month. */
  chargeKeptMs: 32 * DAY_MS,
  approvalSeconds: 3_600,

  startsAheadMs: 90 * DAY_MS,
  budgetsPerTenant: 10_000,
  booksKnownMax: 1_000,
  calendarRowsMax: 1_000,
  pendingPerOwner: 100,
  pendingPerPool: 10_000,
  pendingRetryMs: 60 * SECOND_MS,

  commandsPerNode: 100,
  commandWaitMs: DAY_MS,
  /** After the last moment a node could have begun: what it then never said is unknown. */
  commandSilentMs: 600 * SECOND_MS,

  nodeSilentMs: 30 * SECOND_MS,
  labelsPerNode: 64,

  sweepMs: 1 * SECOND_MS,
  /** Wakes within so long are one. */
  wakeMs: 5,
  pruneMs: 3_600 * SECOND_MS,
  /** A loop that has not finished a good round for so long is not alive. */
  loopStaleSeconds: { nodes: 60, due: 60, replace: 60, place: 60, commands: 60, prune: 7_200 },
  sweepRowsMax: 500,

  requestsPerMinute: 1_200,
  /** A place in flight that was never given back is free again after this. */
  callLeaseMs: 120 * SECOND_MS,
  storeRetryMs: 1 * SECOND_MS,
});
