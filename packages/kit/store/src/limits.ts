/** Every limit of this package (compute.md §13: each queue, wait, retry and cache has one). */
export const limits = {
  poolMax: 10,
  /** Waiting for a free connection, and for a new one to be made: an outage answers within this. */
  acquireMs: 3_000,
  idleMs: 30_000,
  /** The server ends a statement after this; the client gives up a little later, for a server that is gone without a word. */
  statementMs: 30_000,
  queryMs: 35_000,
  /** A forgotten transaction holds locks and keeps the outbox back. */
  idleInTransactionMs: 60_000,
  closeMs: 5_000,
  /** More distinct texts than this run unprepared: a text that is built from values must not fill the servers' memory. */
  statements: 5_000,

  retries: 10,
  retryBaseMs: 4,
  retryCeilingMs: 250,

  pollMs: 2_000,
  outboxBatch: 500,
  /** Committed events that wait for an older transaction are looked at again from 4 ms on, doubling up to this. */
  heldCeilingMs: 250,
  reconnectBaseMs: 50,
  reconnectCeilingMs: 2_000,
  followerQueryMs: 10_000,

  /** Waiting for the migration lock and for one migration file. */
  migrationMs: 600_000,

  embedded: {
    startMs: 120_000,
    stopMs: 30_000,
    lockMs: 150_000,
    logBytes: 4 * 1024 * 1024,
    connections: 200,
    /** A unix socket path may have 107 bytes, `/.s.PGSQL.5432` and a terminator among them. */
    socketDirBytes: 90,
  },
} as const;
