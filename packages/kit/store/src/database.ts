/**
 * What a service sees of the database (issue 2 §3, compute.md §13). No type of the driver shows here.
 *
 * Values: int8 and numeric come as numbers (a value beyond 2^53 is an error, not a rounded number), jsonb parsed, timestamptz as Date, date as text.
 * Parameters: an array becomes a PostgreSQL array; a jsonb parameter is given as `JSON.stringify(value)`.
 *
 * Errors: `StoreUnavailable` when the database cannot be reached or answer (503 with `retryAfterMs`); the server's own errors pass unchanged and
 * are told apart by `isUniqueViolation` and `isExclusionViolation`.
 */
export interface Queryable {
  /** All rows. Every statement is static text: it is prepared under a name derived from its text, so never build text from values. */
  rows<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** First row or undefined. */
  one<R extends object>(text: string, values?: readonly unknown[]): Promise<R | undefined>;
  /** Number of rows affected. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
}

export type Isolation = 'read-committed' | 'repeatable-read' | 'serializable';

export interface Tx extends Queryable {
  /**
   * Adds an event to the transactional outbox, written with the others of the transaction just before it commits; subscribers of every process see it after
   * that, in order, at least once. `payload` is JSON.
   */
  publish(event: { topic: string; key: string; payload: unknown }): Promise<void>;
  /**
   * Runs once `fn` has resolved, still inside of the transaction: for what is gathered over all of it and written at its end. Those announced by then run
   * side by side, so that they share round trips. A statement one sends need not be waited for: if it fails it takes the transaction with it, as a throw
   * does.
   */
  beforeCommit(fn: () => Promise<void> | void): void;
  /** Runs after the commit, never after a rollback. A throw is reported as a process warning: the commit has happened. */
  afterCommit(fn: () => void): void;
}

/** `id` is unique and stays the same when an event is seen twice; `at` is epoch milliseconds of the database clock. */
export interface OutboxEvent {
  id: string;
  topic: string;
  key: string;
  payload: unknown;
  at: number;
}

export interface TransactionOptions {
  isolation?: Isolation;
  readOnly?: boolean;
  retriesMax?: number;
}

export interface Database extends Queryable {
  readonly engine: 'embedded' | 'external';
  /** Major version, such as 15 or 18. */
  readonly serverVersion: number;
  /**
   * One transaction, read committed unless told otherwise. Runs `fn` again after a serialization failure or a deadlock, so `fn` has no effect outside of `tx`.
   * A connection lost before COMMIT, or during it (`outcomeUnknown`), is never retried here: it rejects with `StoreUnavailable`.
   */
  transaction<T>(fn: (tx: Tx) => Promise<T>, o?: TransactionOptions): Promise<T>;
  /** Events from now on; returns the way to stop. NOTIFY wakes, polling (2 s) is the net. */
  subscribe(fn: (e: OutboxEvent) => void): () => void;
  /** Deletes outbox events older than so many days; gives their number. */
  pruneOutbox(days: number): Promise<number>;
  /**
   * Applies the numbered files `NNNN-name.sql` of a folder that are not applied yet, all or none, under an advisory lock, forward only.
   * Throws `SchemaTooNew` when the database knows a later one, `MigrationChanged` when an applied file is not what it was.
   */
  migrate(set: { schema: string; directory: URL }): Promise<void>;
  /** Database clock, epoch milliseconds. */
  nowMs(): Promise<number>;
  health(): Promise<boolean>;
  stats(): { total: number; idle: number; waiting: number };
  /** Ends the pool, and the embedded server if this process answers for it. May be called twice. */
  close(): Promise<void>;
}
