import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import type { Account } from './account.ts';

/** Short, since a unix socket path is limited, and the same for the same data folder. */
export function socketDirOf(dataDir: string): string {
  const name = `bc-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const preferred = join(tmpdir(), name);
  return Buffer.byteLength(preferred) <= limits.embedded.socketDirBytes ? preferred : join('/tmp', name);
}

/** Makes the folder, 0700 and the server's own: with `trust` authentication it is the access control. Its name can be guessed, so only our own is taken. */
export function claimSocketDir(socketDir: string, account: Account | undefined): void {
  try {
    mkdirSync(socketDir, { mode: 0o700 });
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
  }
  const s = lstatSync(socketDir);
  if (!s.isDirectory() || (s.uid !== process.getuid?.() && s.uid !== account?.uid)) {
    throw new Error(`${socketDir} belongs to uid ${s.uid}: the database's socket would not be private there`);
  }
  chmodSync(socketDir, 0o700);
  if (account) chownSync(socketDir, account.uid, account.gid);
}
