import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { socketDirOf } from '../embedded/socket-dir.ts';
import { type StartOptions, startServer } from '../embedded/start.ts';
import { stopServer } from '../embedded/stop.ts';

/** Data folders of one test file, with servers of their own. initdb runs once: the others are copies. */
export interface DataFolders {
  /** A path where nothing is yet. */
  missing(): string;
  /** A folder with a database, whose server was stopped in good order. */
  made(): Promise<string>;
  /** Ends what still runs and removes everything. */
  clear(): Promise<void>;
}

export function dataFolders(binaries?: StartOptions['binaries']): DataFolders {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'bc-data-'));
  // the server's user passes through
  chmodSync(root, 0o711);
  const seed = join(root, 'seed');
  const given: string[] = [];
  const missing = (): string => {
    const path = join(root, String(given.length));
    given.push(path);
    return path;
  };
  return {
    missing,
    made: async () => {
      if (!existsSync(seed)) await stopServer((await startServer({ dataDir: seed, binaries })).dataDir);
      const path = missing();
      execFileSync('cp', ['-a', seed, path]);
      return path;
    },
    clear: async () => {
      for (const path of [seed, ...given]) {
        if (existsSync(path)) await stopServer(path);
        rmSync(socketDirOf(path), { recursive: true, force: true });
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}
