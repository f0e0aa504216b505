import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectionString } from '../connection.ts';
import type { Database } from '../database.ts';
import type { Server } from '../embedded/start.ts';
import { openStore } from '../open-store.ts';

/** `close()` also drops the database. `connectionString` is for other processes and for a second `openDatabase` on the same data. */
export type TestDatabase = Database & { connectionString: string };

export type Source = () => Promise<TestDatabase>;

/** Nobody is refused for the slowness of a machine that does something else as well; that callers are refused at all is tested with databases opened as usual. */
const ACQUIRE_MS = 120_000;

/** Copying PostgreSQL's template takes a tenth of a second: the next database is made while the test that took this one runs. */
export function freshDatabases(server: Server, engine: Database['engine']): Source {
  let next = create(server);
  return async () => {
    const name = next;
    next = create(server);
    // it is the next test's, which may never come
    next.catch(() => {});
    return openFresh(server, engine, await name);
  };
}

async function create(server: Server): Promise<string> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  await asAdministrator(server, `create database ${name} template template0 strategy file_copy`);
  return name;
}

async function openFresh(server: Server, engine: Database['engine'], name: string): Promise<TestDatabase> {
  const address = { socketDir: server.socketDir, port: server.port, user: server.user, database: name };
  const database = await openStore({ address, engine, applicationName: 'test', acquireMs: ACQUIRE_MS });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await database.close();
    await asAdministrator(server, `drop database ${name} with (force)`);
  };
  return { ...database, connectionString: connectionString(address), close: () => (closing ??= close()) };
}

async function asAdministrator(server: Server, text: string): Promise<void> {
  const client = new pg.Client({ host: server.socketDir, port: server.port, user: server.user, database: 'postgres', ssl: false });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
