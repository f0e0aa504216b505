import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process that cannot be mistaken for a later one of the same number: `startTicks` is its start, in ticks since the machine's. */
export interface ProcessMark {
  pid: number;
  startTicks: string;
}

/** Fields of /proc/PID/stat after the name, which is in brackets and may hold anything. */
const statOf = (pid: number | 'self'): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

export const markOfSelf = (): ProcessMark => ({ pid: process.pid, startTicks: statOf(process.pid)[19] ?? '' });

export function isAlive(mark: ProcessMark): boolean {
  try {
    const stat = statOf(mark.pid);
    return stat[19] === mark.startTicks && stat[0] !== 'Z';
  } catch {
    return false;
  }
}

/**
 * Server processes of a data folder (its real path). A signal that a number accepts proves nothing: it may be a zombie, or a stranger's since the
 * restart. PostgreSQL stands in its data folder, so the working folder tells.
 */
export function serversOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === dataDir && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
      } catch {
        return false;
      }
    });
}
