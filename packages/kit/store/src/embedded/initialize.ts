import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

export const superuser = 'app';

/** The server and its tools see nothing of this process's environment: it may hold secrets. */
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Makes the data folder, whole or not at all: beside it, then one rename. A kill in the middle leaves a folder that no one uses. */
export async function initialize(dataDir: string, binaries: Binaries, account: Account | undefined): Promise<void> {
  const fresh = mkdtempSync(`${dataDir}.new-`);
  try {
    if (account) chownSync(fresh, account.uid, account.gid);
    const options = ['-D', fresh, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'];
    await program(join(binaries.bin, 'initdb'), options, account);
    renameSync(fresh, dataDir);
  } catch (cause) {
    rmSync(fresh, { recursive: true, force: true });
    if (existsSync(dataDir)) throw new Error(`${dataDir} is there, is not empty and holds no database: choose another data folder`, { cause });
    throw cause;
  }
}

/** initdb's own syncing takes most of its time; it is made up for while the server already runs, and also when this process ends before. */
export function syncLater(dataDir: string, binaries: Binaries, account: Account | undefined): void {
  const child = spawn(join(binaries.bin, 'initdb'), ['-D', dataDir, '--sync-only'], {
    ...account,
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: 'ignore',
  });
  child.once('error', (e) => process.emitWarning(e));
  child.unref();
}

function program(path: string, options: string[], account: Account | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, options, { ...account, cwd: '/', env: serverEnvironment, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 4_000) complaint += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${path} failed (exit ${code}): ${complaint.trim()}`))));
  });
}
