import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type EmbeddedDatabase, FolderUnreachable, openEmbedded } from '../index.ts';
import { dataFolders } from '../testing/data-folders.ts';
import { readPidFile } from './pid-file.ts';
import { serversOf } from './processes.ts';

const folders = dataFolders();
const opened: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];
const isRoot = process.getuid?.() === 0;

afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(folders.clear);

async function open(dataDir: string): Promise<EmbeddedDatabase> {
  const db = await openEmbedded({ dataDir });
  opened.push(db);
  return db;
}

interface Report {
  adopted: boolean;
  recovered: boolean;
  serverPid: number;
}

/** Another process that holds the database open, after writing rows 0 to 99 into `kept`. */
async function parent(dataDir: string): Promise<{ child: ChildProcess; report: Report }> {
  const script = fileURLToPath(new URL('../testing/embedded-parent.ts', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, report: JSON.parse(line) as Report };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The parent first: it would start its server again. */
async function killBoth(child: ChildProcess, serverPid: number): Promise<void> {
  const killed = kill(child);
  process.kill(serverPid, 'SIGKILL');
  await killed;
}

describe('embedded database', () => {
  test('issue2.3 a new folder becomes a database that survives being closed and opened, and closing ends its server', async () => {
    const dataDir = folders.missing();
    const first = await open(dataDir);
    expect(first).toMatchObject({ engine: 'embedded', serverVersion: 18, adopted: false, recovered: false });
    await first.run('create table t (n int)');
    await first.run('insert into t values (1)');
    await first.close();
    expect(serversOf(dataDir)).toEqual([]);
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
    const again = await open(dataDir);
    expect(again).toMatchObject({ adopted: false, recovered: false });
    expect(await again.rows('select n from t')).toEqual([{ n: 1 }]);
  });

  test('product§4 it is durable, private and small: fsync, a unix socket in a folder of mode 700, no root, no TCP, own process group', async () => {
    const dataDir = await folders.made();
    const db = await open(dataDir);
    const settings = await db.one(
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
              current_setting('listen_addresses') as addresses, current_setting('shared_buffers') as buffers, current_setting('max_wal_size') as wal`,
    );
    expect(settings).toEqual({ fsync: 'on', commit: 'on', pages: 'on', addresses: '', buffers: '32MB', wal: '128MB' });
    const { mode, uid } = statSync(db.socketDir);
    expect(mode & 0o777).toBe(0o700);
    const server = readPidFile(dataDir)?.pid ?? 0;
    expect(statSync(`/proc/${server}`).uid).toBe(uid);
    expect(uid).not.toBe(0);
    expect(Buffer.byteLength(join(db.socketDir, '.s.PGSQL.5432'))).toBeLessThan(107);
    // Ctrl-C goes to the terminal's whole group
    expect(groupOf(server)).not.toBe(groupOf(process.pid));
  });

  test('issue2.3 kill -9 of the parent: the next open adopts the server, with all rows, and ends it when it closes', async () => {
    const dataDir = await folders.made();
    const { child, report } = await parent(dataDir);
    await kill(child);
    expect(serversOf(dataDir)).toContain(report.serverPid);
    const db = await open(dataDir);
    expect(db).toMatchObject({ adopted: true, recovered: false });
    expect(readPidFile(dataDir)?.pid).toBe(report.serverPid);
    expect(await db.one('select count(*) as n from kept')).toEqual({ n: 100 });
    await db.close();
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('issue2.3 kill -9 of parent and server: the next open recovers every acknowledged row', async () => {
    const dataDir = await folders.made();
    const { child, report } = await parent(dataDir);
    await killBoth(child, report.serverPid);
    const db = await open(dataDir);
    expect(db).toMatchObject({ adopted: false, recovered: true });
    expect(await db.one('select count(*) as n from kept')).toEqual({ n: 100 });
  });

  test('compute§13 kill -9 of the server alone: the open database starts it again by itself', async () => {
    const dataDir = await folders.made();
    const db = await open(dataDir);
    await db.run('create table t (n int)');
    await db.run('insert into t values (1)');
    const killed = readPidFile(dataDir)?.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => readPidFile(dataDir), { timeout: 25_000 }).toSatisfy((now) => now !== undefined && now.pid !== killed && now.isReady);
    await expect.poll(() => db.rows('select n from t').catch(() => 'refused'), { timeout: 25_000 }).toEqual([{ n: 1 }]);
    await db.close();
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('compute§13 closing while the server is being killed ends at once', async () => {
    const dataDir = await folders.made();
    const db = await open(dataDir);
    process.kill(readPidFile(dataDir)?.pid ?? 0, 'SIGKILL');
    const started = performance.now();
    await db.close();
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('issue2.3 a second process is a guest: it neither starts nor ends the server, and goes on when the first one closes', async () => {
    const dataDir = await folders.made();
    const { child, report } = await parent(dataDir);
    const visit = await open(dataDir);
    expect(visit.adopted).toBe(true);
    await visit.close();
    expect(serversOf(dataDir)).toContain(report.serverPid);
    const guest = await open(dataDir);
    child.kill('SIGTERM');
    await once(child, 'exit');
    await expect.poll(() => guest.one('select count(*) as n from kept').catch(() => 'refused'), { timeout: 25_000 }).toEqual({ n: 100 });
    expect(readPidFile(dataDir)?.pid).not.toBe(report.serverPid);
    await guest.close();
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('issue2.3 four opens of a new folder at once give one server', async () => {
    const dataDir = folders.missing();
    const four = await Promise.all([1, 2, 3, 4].map(() => open(dataDir)));
    expect(four.map((db) => db.adopted).sort()).toEqual([false, true, true, true]);
    const servers = await Promise.all(four.map((db) => db.one<{ at: Date }>('select pg_postmaster_start_time() as at')));
    expect(new Set(servers.map((row) => row?.at.getTime())).size).toBe(1);
    expect(await Promise.all(four.map((db) => db.health()))).toEqual([true, true, true, true]);
  });

  test('issue2.3 four processes at once over a killed server give one server', async () => {
    const dataDir = await folders.made();
    const { child, report } = await parent(dataDir);
    await killBoth(child, report.serverPid);
    const four = await Promise.all([1, 2, 3, 4].map(() => parent(dataDir)));
    expect(four.filter(({ report: r }) => !r.adopted)).toHaveLength(1);
    expect(new Set(four.map(({ report: r }) => r.serverPid)).size).toBe(1);
  });

  test('issue2.3 a pid file whose number is alive as something else does not keep the database from starting', async () => {
    const dataDir = await folders.made();
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n1\n5432\n/nowhere\n\n0\nready\n`);
    expect(await open(dataDir)).toMatchObject({ adopted: false, recovered: true });
  });

  test('issue2.3 the log of the server is bounded', async () => {
    const dataDir = await folders.made();
    truncateSync(join(dataDir, 'server.log'), 5 * 1024 * 1024);
    await open(dataDir);
    expect(statSync(join(dataDir, 'server.log')).size).toBeLessThan(100_000);
    expect(statSync(join(dataDir, 'server.log.1')).size).toBe(5 * 1024 * 1024);
  });

  test('issue2.3 a folder with something else in it and a folder of another PostgreSQL are refused and left alone', async () => {
    const other = folders.missing();
    mkdirSync(other);
    writeFileSync(join(other, 'letter.txt'), 'mine');
    await expect(open(other)).rejects.toThrow('holds no database');
    expect(existsSync(join(other, 'letter.txt'))).toBe(true);
    const older = await folders.made();
    writeFileSync(join(older, 'PG_VERSION'), '14\n');
    await expect(open(older)).rejects.toThrow('was made by PostgreSQL 14, this is 18');
  });

  test.skipIf(!isRoot)('issue2.3 a folder that the server cannot get to is refused by name, with what to do', async () => {
    const closed = folders.missing();
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const refused = open(join(closed, 'data', 'postgres'));
    await expect(refused).rejects.toThrow(FolderUnreachable);
    await expect(refused).rejects.toMatchObject({ folder: closed, message: expect.stringContaining(`chmod o+x ${closed}`) });
  });
});

const groupOf = (pid: number): string => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[2] ?? '';
};
