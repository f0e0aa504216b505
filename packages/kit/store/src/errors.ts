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
