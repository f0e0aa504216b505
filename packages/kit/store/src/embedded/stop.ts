import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { hasPidFile, readPidFile } from './pid-file.ts';
import { serversOf } from './processes.ts';

/** Ends the server of a data folder (its real path): SIGINT breaks off what runs and writes a checkpoint; SIGQUIT, after a limit, leaves recovery to the next start. */
export async function stopServer(dataDir: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const file = readPidFile(dataDir);
    if (!file || !serversOf(dataDir).includes(file.pid)) return;
    process.kill(file.pid, signal);
    const until = Date.now() + limits.embedded.stopMs;
    while (Date.now() < until) {
      if (!hasPidFile(dataDir) && serversOf(dataDir).length === 0) return;
      await sleep(20);
    }
  }
}
