import type pg from 'pg';
import { limits } from './limits.ts';
import { types } from './values.ts';

/** Where the database is: a URL, or the embedded server's socket. */
export type Address = { url: string } | { socketDir: string; port: number; user: string; database: string };

export function clientConfig(address: Address, applicationName: string): pg.ClientConfig {
  const at: pg.ClientConfig =
    'url' in address
      ? { connectionString: address.url }
      : { host: address.socketDir, port: address.port, user: address.user, database: address.database, ssl: false };
  return {
    ...at,
    types,
    application_name: applicationName,
    connectionTimeoutMillis: limits.acquireMs,
    statement_timeout: limits.statementMs,
    query_timeout: limits.queryMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    keepAlive: true,
    // Statements of one transaction that do not wait for each other share a round trip; a statement without an answer cuts its connection.
    pipeline: true,
  };
}

/** The same address as a connection string, for other clients (backup tools, psql). */
export function connectionString(address: { socketDir: string; port: number; user: string; database: string }): string {
  return `postgresql://${address.user}@/${address.database}?host=${encodeURIComponent(address.socketDir)}&port=${address.port}`;
}
