import net from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { startServer } from './embedded/start.ts';
import { openDatabase, StoreUnavailable } from './index.ts';
import { refusalOf } from './open-store.ts';
import { testDatabase } from './testing.ts';
import { dataFolders } from './testing/data-folders.ts';

const folders = dataFolders();
afterAll(folders.clear);

/** Below those that the system gives to connections and to servers on port 0: what other tests do at the same time takes none of them. */
async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  const server = net.createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return await freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('issue2.3 a server by URL over TCP with a password', async () => {
  const port = await freePort();
  const server = await startServer({ dataDir: await folders.made(), settings: { listen_addresses: '127.0.0.1', port: String(port) } });
  const local = await openDatabase({ url: `postgresql://app@/postgres?host=${server.socketDir}&port=${port}` });
  await local.run(`create role guest login password 's3/cret' superuser`);
  await local.close();
  const db = await openDatabase({ url: `postgresql://guest:s3%2Fcret@127.0.0.1:${port}/postgres`, applicationName: 'open-test', poolMax: 2 });
  try {
    expect(db.engine).toBe('external');
    expect(await db.one(`select current_user as name, current_setting('application_name') as application`)).toEqual({
      name: 'guest',
      application: 'open-test',
    });
    await Promise.all([1, 2, 3, 4].map(() => db.health()));
    expect(db.stats().total).toBe(2);
  } finally {
    await db.close();
  }
});

test('issue2.3 nobody at the address, or no such database: StoreUnavailable with the reason', async () => {
  const closed = openDatabase({ url: `postgresql://app@127.0.0.1:${await freePort()}/postgres` });
  await expect(closed).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(closed).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  const db = await testDatabase();
  try {
    await expect(openDatabase({ url: db.connectionString.replace(/t_\w+/, 'missing') })).rejects.toMatchObject({
      name: 'StoreUnavailable',
      cause: { code: '3D000' },
    });
  } finally {
    await db.close();
  }
});

test('issue2.3 a database that is not UTF-8, or of PostgreSQL 14, is refused with the reason', async () => {
  const db = await testDatabase();
  const name = `${new URL(db.connectionString.replace('@/', '@socket/')).pathname.slice(1)}_ascii`;
  try {
    await db.run(`create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`);
    await expect(openDatabase({ url: db.connectionString.replace(/t_\w+/, name) })).rejects.toThrow('encoded as SQL_ASCII');
    await db.run(`drop database ${name} with (force)`);
  } finally {
    await db.close();
  }
  // no server as old is at hand: the decision alone
  expect(refusalOf({ version: 140_013, encoding: 'UTF8' })).toBe('PostgreSQL 15 or newer is needed, the database is 14');
  expect(refusalOf({ version: 150_000, encoding: 'UTF8' })).toBeUndefined();
});

test('compute§13 a caller that finds every connection taken is refused after 3 s instead of waiting for ever', async () => {
  const db = await testDatabase();
  const small = await openDatabase({ url: db.connectionString, poolMax: 1 });
  try {
    const refused = await small.transaction(async () => small.one('select 1').catch((e: unknown) => e));
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(await small.one('select 1 as ok')).toEqual({ ok: 1 });
  } finally {
    await small.close();
    await db.close();
  }
});
