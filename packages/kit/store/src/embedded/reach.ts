import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Account } from './account.ts';

/** The server's user may not enter a folder above the data folder. */
export class FolderUnreachable extends Error {
  override readonly name = 'FolderUnreachable';
  readonly folder: string;
  constructor(dataDir: string, folder: string, account: Account) {
    super(
      `the database's user (uid ${account.uid}) cannot enter ${folder}, which is above the data folder ${dataDir}: choose a data folder elsewhere ` +
        `(such as /var/lib/better-compute), or let others pass with: chmod o+x ${folder}`,
    );
    this.folder = folder;
  }
}

/** The nearest folder above the path that the account may not walk through (search bit), or undefined. Folders still to be made are ours to open. */
export function barrierTo(path: string, account: Account | undefined): string | undefined {
  if (!account) return undefined;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const s = statSync(folder, { throwIfNoEntry: false });
    if (s) {
      const bit = s.uid === account.uid ? 0o100 : s.gid === account.gid ? 0o010 : 0o001;
      if (!(s.mode & bit)) return folder;
    }
    if (folder === dirname(folder)) return undefined;
  }
}
