import { readFileSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Whom the server runs as. */
export interface Account {
  uid: number;
  gid: number;
}

const accountName = 'better-compute';

function accountOf(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((l) => l.startsWith(`${name}:`));
  const fields = line?.split(':');
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : undefined;
}

/**
 * Undefined when the server runs as this process's own user. PostgreSQL refuses to run as root: then it is the owner of a data folder that is there,
 * else a system user of ours, made when missing, else `nobody` (initdb wants a user that /etc/passwd knows).
 */
export function serverAccount(dataDir: string): Account | undefined {
  const owner = statSync(join(dataDir, 'PG_VERSION'), { throwIfNoEntry: false });
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner && owner.uid !== self) throw new Error(`${dataDir} belongs to uid ${owner.uid}: start as that user or as root`);
    return undefined;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const known = accountOf(accountName);
  if (known) return known;
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', accountName]);
  const account = accountOf(accountName) ?? accountOf('nobody');
  if (!account) throw new Error(`PostgreSQL does not run as root, and there is neither useradd nor a user called nobody: create the user ${accountName}`);
  return account;
}
