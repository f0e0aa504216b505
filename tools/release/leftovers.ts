import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceSeconds = 5;

function about(pid: string): string {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`;
  } catch {
    // it has ended, or is none of ours to look at
    return '';
  }
}

/** Processes that stand in a folder or name it in their command line, as `pid command`. Linux only: read from /proc. */
export const processesOf = (folder: string): { pid: number; command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({ pid: Number(pid), command: about(pid) }))
    .filter(({ command }) => command.includes(folder));

/** Those that are still there after what a process needs to be gone. */
export async function leftovers(folder: string): Promise<{ pid: number; command: string }[]> {
  for (let waited = 0; waited < patienceSeconds * 10 && processesOf(folder).length > 0; waited++) await sleep(100);
  return processesOf(folder);
}
