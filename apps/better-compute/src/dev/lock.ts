import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalidConfig } from '../config/invalid-config.ts';

interface Holder {
  pid: number;
  /** The process's start, so that another process which got the same number is not taken for it. */
  startedAt: string;
  url?: string;
}

/** Start time of a process in clock ticks since boot, or undefined when there is none such. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    if (process.platform === 'linux') return undefined;
    try {
      process.kill(pid, 0);
      return 'unknown';
    } catch {
      return undefined;
    }
  }
}

const fileIn = (dataDir: string): string => join(dataDir, 'dev.lock');

function holderOf(dataDir: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** One `dev` a folder: a second one says who holds it and ends. A lock of a dead process is taken over. */
export function takeFolder(dataDir: string): { release(): void; tell(url: string): void } {
  mkdirSync(dataDir, { recursive: true });
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid) ?? 'unknown' };
  const file = fileIn(dataDir);
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 3) throw error;
      const holder = holderOf(dataDir);
      if (holder && startOf(holder.pid) === holder.startedAt)
        throw invalidConfig(
          `process ${holder.pid} already runs on ${dataDir}${holder.url ? ` at ${holder.url}` : ''}: use it, stop it, or give --data-dir another folder`,
          { path: 'dataDir' },
        );
      rmSync(file, { force: true });
    }
  }
  return {
    release: () => rmSync(file, { force: true }),
    tell: (url) => writeFileSync(file, JSON.stringify({ ...mine, url }), { mode: 0o600 }),
  };
}
