/** Every limit of the MCP server (compute.md §11, §15). */
export const limits = Object.freeze({
  bodyBytes: 4 * 1024 * 1024,
  /** Calls of one caller in flight, and the most an operator may allow. */
  callsPerCaller: 4,
  callsPerCallerMax: 64,
  busyRetryMs: 2_000,
  /** A place taken by a call that never came back is free again after this. */
  leaseMs: 120_000,
  /** One call waits at most so long in all: common clients give up at 60 s. */
  waitMs: 55_000,
  waitMsMax: 90_000,
  approvalWaitMs: 25_000,
  approvalPollMs: 2_000,
  /** Rows a list without a `limit` argument answers. */
  itemsMax: 200,
  instructionsMax: 1_200,
  /** A held draft lives so long (iam.md §18, rule 6), and so does the state a client carries for it. */
  requestStateMs: 90 * 60_000,
  /** More than the longest summary a person is shown makes (2,000 characters, iam.md §9.2), or what was given out would not be taken back. */
  requestStateCharsMax: 16_384,
  /** Times one held action is put to the person by URL: once, then at most twice more. */
  asksMax: 3,
  stateSecretCharsMin: 32,
  listTtlMs: 60_000,
  discoverTtlMs: 300_000,
});
