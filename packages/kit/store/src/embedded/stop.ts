import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { readPidFile } from './pid-file.ts';
import { serversOf } from './processes.ts';

/** Ends the server of a data folder (its real path): SIGINT breaks off what runs and writes a checkpoint; SIGQUIT, after a limit, leaves recovery to the next start. */
export async function stopServer(dataDir: string): Promise<void> {
  const pid = readPidFile(dataDir)?.pid;
  if (pid === undefined) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (serversOf(dataDir).includes(pid)) send(pid, signal);
    const until = Date.now() + limits.embedded.stopMs;
    while (Date.now() < until) {
      if (isGone(dataDir, pid)) return;
      await sleep(20);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (e) {
    // it ended between the look and the signal
    if ((e as NodeJS.ErrnoException).code !== 'ESRCH') throw e;
  }
}

/** Gone with its children; or another process that uses the folder has already started the next one. A server that is killed leaves its pid file. */
function isGone(dataDir: string, pid: number): boolean {
  const living = serversOf(dataDir);
  return living.length === 0 || (!living.includes(pid) && readPidFile(dataDir)?.pid !== pid);
}
