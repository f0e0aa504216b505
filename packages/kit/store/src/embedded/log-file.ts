import { chownSync, closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import type { Account } from './account.ts';

export interface LogFile {
  descriptor: number;
  close(): void;
  /** The end of what was written since it was opened. */
  tail(): string;
}

/** The server's log: one file and the one before it, so that a data folder does not fill with it. */
export function openLogFile(dataDir: string, account: Account | undefined): LogFile {
  const path = join(dataDir, 'server.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > limits.embedded.logBytes) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  if (account) chownSync(path, account.uid, account.gid);
  const from = statSync(path).size;
  return {
    descriptor,
    close: () => closeSync(descriptor),
    tail: () => readFileSync(path).subarray(from).toString().trim().slice(-800),
  };
}
