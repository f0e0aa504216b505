import type pg from 'pg';
import { MigrationChanged, SchemaTooNew, storeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Pool } from '../pool.ts';
import { command, execute } from '../statement.ts';
import { type Migration, migrationsIn } from './files.ts';

/** Any number of our own: one lock for all schemas, so that sets which refer to each other never run at once. */
const lockNumber = 7_203_461_985;

interface Applied {
  number: number;
  name: string;
  sha256: string;
}

async function appliedTo(client: pg.ClientBase, schema: string): Promise<Applied[]> {
  const { rows } = await execute<{ there: boolean }>(client, `select to_regclass('store.migrations') is not null as there`);
  if (!rows[0]?.there) return [];
  return (await execute<Applied>(client, 'select number, name, sha256 from store.migrations where schema = $1 order by number', [schema])).rows;
}

/** What is still to apply. */
function pendingOf(schema: string, files: Migration[], applied: Applied[]): Migration[] {
  const newest = applied.at(-1);
  if (newest && newest.number > files.length) {
    throw new SchemaTooNew(`the database holds ${schema} ${newest.name}, this version knows ${files.length} migrations: start the newer version`);
  }
  for (const [i, was] of applied.entries()) {
    const file = files[i];
    if (file?.name !== was.name || file.sha256 !== was.sha256) {
      throw new MigrationChanged(`${schema} ${was.name} was changed after it had been applied: put it back and add a new migration`);
    }
  }
  return files.slice(applied.length);
}

/** Whole files, and a wait for another starter, may take longer than a statement of a request. */
async function long(client: pg.ClientBase, text: string): Promise<void> {
  // The driver's own type does not know that a single statement can have its own limit.
  const query = { text, query_timeout: limits.migrationMs } as pg.QueryConfig;
  await client.query(query).catch((e: unknown) => Promise.reject(storeError(e)));
}

async function apply(client: pg.ClientBase, schema: string, files: Migration[]): Promise<void> {
  await long(client, `set local statement_timeout = ${limits.migrationMs}`);
  await long(client, `select pg_advisory_xact_lock(${lockNumber})`);
  await command(client, 'create schema if not exists store');
  await command(
    client,
    `create table if not exists store.migrations (
       schema text not null, number int not null, name text not null, sha256 text not null, at timestamptz not null default clock_timestamp(),
       primary key (schema, number))`,
  );
  await command(client, `create schema if not exists ${schema}`);
  // another starter may have done it while this one waited
  for (const file of pendingOf(schema, files, await appliedTo(client, schema))) {
    await command(client, `set local search_path to ${schema}, public`);
    await long(client, file.text);
    await command(client, 'set local search_path to default');
    await execute(client, 'insert into store.migrations (schema, number, name, sha256) values ($1, $2, $3, $4)', [schema, file.number, file.name, file.sha256]);
  }
}

export async function migrate(pool: Pool, set: { schema: string; directory: URL }): Promise<void> {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(set.schema)) throw new TypeError(`${set.schema}: a schema is named by lower-case letters, digits and _`);
  const files = await migrationsIn(set.directory);
  await pool.use(async (client, discard) => {
    // the usual start has nothing to do and takes no lock
    if (pendingOf(set.schema, files, await appliedTo(client, set.schema)).length === 0) return;
    // Settings and prepared plans of before the change stay with this connection.
    discard();
    await command(client, 'begin');
    try {
      await apply(client, set.schema, files);
      await command(client, 'commit');
    } catch (e) {
      await command(client, 'rollback').catch(() => {});
      throw e;
    }
  });
}
