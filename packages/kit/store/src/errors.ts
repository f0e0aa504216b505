import pg from 'pg';

/** The connection is lost, cannot be made, or the server takes no more: answer 503 with `retryAfterMs`. */
export class StoreUnavailable extends Error {
  readonly retryAfterMs = 1_000;
  /** The connection was lost during COMMIT: the transaction may have happened. Ask again by idempotency key, never repeat blindly. */
  readonly outcomeUnknown: boolean;
  constructor(message: string, o: { cause?: unknown; outcomeUnknown?: boolean } = {}) {
    super(message, { cause: o.cause });
    this.name = 'StoreUnavailable';
    this.outcomeUnknown = o.outcomeUnknown ?? false;
  }
}

/** The database holds a migration that this code does not know: start the newer version. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
}

/** A migration was edited, renamed or taken away after it had been applied. */
export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged';
}

/** SQLSTATE of a server's error; undefined for anything else. */
export const sqlState = (e: unknown): string | undefined => (e instanceof pg.DatabaseError ? e.code : undefined);

export function isUniqueViolation(e: unknown, constraint?: string): boolean {
  return sqlState(e) === '23505' && (constraint === undefined || (e as pg.DatabaseError).constraint === constraint);
}

export const isExclusionViolation = (e: unknown): boolean => sqlState(e) === '23P01';

/**
 * Class 08 is the connection, 53 the server's resources (too many connections, memory, disk), 57 the operator: shutdown, crash, still starting, and
 * a statement over its time. 08P01 is not among them: that is how the server names a wrong number of parameters.
 */
const isUnavailable = (state: string): boolean => (/^(08|53|57)/.test(state) && state !== '08P01') || state === '25P03';

/** What a failed statement means to its caller. RangeError is our own value parser's; what else is no answer of the server is a lost connection. */
export function storeError(e: unknown): unknown {
  if (e instanceof StoreUnavailable || e instanceof RangeError) return e;
  const state = sqlState(e);
  if (state !== undefined && !isUnavailable(state)) return e;
  return unavailable(e);
}

export function unavailable(e: unknown, o: { outcomeUnknown?: boolean } = {}): StoreUnavailable {
  if (e instanceof StoreUnavailable && o.outcomeUnknown === undefined) return e;
  const { code, message } = e as { code?: string; message?: string };
  return new StoreUnavailable(`database unavailable: ${[code, message].filter((part) => part !== undefined && part !== '').join(' ')}`, { cause: e, ...o });
}
