/** Every limit of the node agent (compute.md §4.1, §15). */
export const limits = Object.freeze({
  frameBytesMax: 1_048_576,
  heartbeatMs: 10_000,
  /** Nothing heard from the plane for so long, not even a pong: the connection is dead. */
  idleMs: 30_000,
  /** From dialling to the wished state, which says that the hello was accepted. */
  helloMs: 10_000,
  /** How long a stop waits for the plane to close. */
  closeMs: 1_000,
  /** Waits before connecting again: doubled up to the second, and any moment within it. */
  backoffMinMs: 500,
  backoffMaxMs: 30_000,
  /** The plane does not want this node: it may change its mind, but not soon. */
  refusedMs: 60_000,
  /** A draining plane has others beside it, or is back in a moment. */
  restartMs: 1_000,
  resultsInFlight: 16,
  resultsKept: 1_000,
  logLinesKept: 1_000,
  logLineMax: 256,
  diagnosticMs: 30_000,
  diagnosticBytesMax: 1_048_576,

  joinsAtOnce: 16,
  joinTries: 4,
  joinTimeoutMs: 10_000,
  answerBytesMax: 65_536,
  specBytesMax: 1_048_576,
  simulatedNodesMax: 1_000,
  gpusMax: 32,
});
