export type { Database, Isolation, OutboxEvent, Queryable, TransactionOptions, Tx } from './database.ts';
export { FolderUnreachable } from './embedded/reach.ts';
export { isExclusionViolation, isUniqueViolation, MigrationChanged, SchemaTooNew, StoreUnavailable } from './errors.ts';
export { idBytes } from './id-bytes.ts';
export { type EmbeddedDatabase, openDatabase, openEmbedded, stopEmbedded } from './open.ts';
export { together } from './together.ts';
export { unawaited } from './unawaited.ts';
