import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { limits } from '../limits.ts';
import { type Account, serverAccount } from './account.ts';
import { type Binaries, packagedBinaries } from './binaries.ts';
import { initialize, serverEnvironment, superuser, syncLater } from './initialize.ts';
import { openLogFile } from './log-file.ts';
import { hasPidFile, type PidFile, readPidFile, removeLeftovers } from './pid-file.ts';
import { serversOf } from './processes.ts';
import { barrierTo, FolderUnreachable } from './reach.ts';
import { settingsOf } from './settings.ts';
import { claimSocketDir, socketDirOf } from './socket-dir.ts';
import { withStartLock } from './start-lock.ts';

export interface StartOptions {
  dataDir: string;
  /** Another installation than the platform package's. */
  binaries?: Binaries | undefined;
  /** Settings over ours. */
  settings?: Readonly<Record<string, string>> | undefined;
}

export interface Server {
  /** The real path. */
  dataDir: string;
  pid: number;
  socketDir: string;
  port: number;
  user: string;
  /** It ran already. */
  adopted: boolean;
  /** The one before it was killed: what it had acknowledged was read back from its log. */
  recovered: boolean;
}

/** The server of a data folder: the one that runs, or a new one; the folder is made when missing. Four at once give one server. */
export async function startServer(o: StartOptions): Promise<Server> {
  const dataDir = resolve(o.dataDir);
  const account = serverAccount(dataDir);
  if (!existsSync(dirname(dataDir))) makeAbove(dataDir, account);
  const barrier = barrierTo(dataDir, account);
  if (account && barrier !== undefined) throw new FolderUnreachable(dataDir, barrier, account);
  const running = existsSync(dataDir) ? await adopt(realpathSync(dataDir), readPidFile(dataDir)) : undefined;
  if (running) return running;
  return withStartLock(dataDir, () => startLocked(o, dataDir, account));
}

/** Folders above the data folder; the server's user may pass through what is made here, whatever the umask. */
function makeAbove(dataDir: string, account: Account | undefined): void {
  const first = mkdirSync(dirname(dataDir), { recursive: true, mode: 0o755 });
  if (!first || !account) return;
  for (let folder = dirname(dataDir); folder.startsWith(first); folder = dirname(folder)) chmodSync(folder, 0o711);
}

async function startLocked(o: StartOptions, path: string, account: Account | undefined): Promise<Server> {
  const binaries = o.binaries ?? packagedBinaries(account);
  const isNew = !existsSync(join(path, 'PG_VERSION'));
  if (isNew) await initialize(path, binaries, account);
  const dataDir = realpathSync(path);
  const major = Number.parseInt(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8'), 10);
  if (major !== binaries.major)
    throw new Error(`${dataDir} was made by PostgreSQL ${major}, this is ${binaries.major}: export it with the version that made it`);
  const was = readPidFile(dataDir);
  const running = await outcomeOf(dataDir, was);
  if (running) return running;
  if (was && hasPidFile(dataDir)) removeLeftovers(dataDir, was);
  const server = await launch(dataDir, binaries, account, o.settings);
  if (isNew && o.settings?.['fsync'] !== 'off') syncLater(dataDir, binaries, account);
  return { ...server, recovered: was !== undefined };
}

/** Waits until a server that is starting or stopping is ready or gone, with all its children: never start beside a living one. */
async function outcomeOf(dataDir: string, was: PidFile | undefined): Promise<Server | undefined> {
  const until = Date.now() + limits.embedded.startMs;
  while (serversOf(dataDir).length > 0) {
    const running = await adopt(dataDir, readPidFile(dataDir));
    if (running) return running;
    if (Date.now() > until) throw new Error(`the database server ${was?.pid ?? ''} of ${dataDir} runs but does not answer: end it, then start again`);
    await sleep(25);
  }
  return undefined;
}

async function adopt(dataDir: string, file: PidFile | undefined): Promise<Server | undefined> {
  if (!file?.isReady || !serversOf(dataDir).includes(file.pid)) return undefined;
  const { pid, port, socketDir } = file;
  const client = new pg.Client({
    host: socketDir,
    port,
    user: superuser,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
    if (rows[0]?.folder !== dataDir) return undefined;
    return { dataDir, pid, port, socketDir, user: superuser, adopted: true, recovered: false };
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

async function launch(dataDir: string, binaries: Binaries, account: Account | undefined, settings: StartOptions['settings']): Promise<Server> {
  const socketDir = socketDirOf(dataDir);
  claimSocketDir(socketDir, account);
  const log = openLogFile(dataDir, account);
  const options = Object.entries({ ...settingsOf(socketDir), ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached: Ctrl-C in the terminal must reach this process alone, which ends the database last. Its log is a file: a pipe would die with us.
  const child = spawn(join(binaries.bin, 'postgres'), ['-D', dataDir, ...options], {
    ...account,
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor],
  });
  log.close();
  let gone: string | undefined;
  child.once('error', (e) => {
    gone = e.message;
  });
  child.once('exit', (code, signal) => {
    gone = `exit ${code ?? signal}`;
  });
  child.unref();
  const until = Date.now() + limits.embedded.startMs;
  for (let wait = 5; gone === undefined && Date.now() < until; wait = Math.min(wait * 1.2, 50)) {
    const file = readPidFile(dataDir);
    if (file?.pid === child.pid && file?.isReady)
      return { dataDir, pid: file.pid, port: file.port, socketDir, user: superuser, adopted: false, recovered: false };
    await sleep(wait);
  }
  throw new Error(`the database server did not start (${gone ?? 'not ready in time'}): ${log.tail()}`);
}
