export type { Database, Isolation, OutboxEvent, Queryable, TransactionOptions, Tx } from './database.ts';
export { isExclusionViolation, isUniqueViolation, MigrationChanged, SchemaTooNew, StoreUnavailable } from './errors.ts';
export { openDatabase, openEmbedded } from './open.ts';
