import { readdirSync, readFileSync } from 'node:fs';

/** A process and all that it has started, as Linux knows them. */
export function treeOf(root: number): number[] {
  const children = Map.groupBy(
    readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? parentOf(Number(name)) : [])),
    ({ parent }) => parent,
  );
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map((child) => child.pid));
  return tree;
}

/** MiB of memory, what is shared counted in parts: of the processes together it is what they take. */
export const pssMiB = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + pssKiBOf(pid), 0) / 1024;

function parentOf(pid: number): { pid: number; parent: number }[] {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === undefined ? [] : [{ pid, parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
}

function pssKiBOf(pid: number): number {
  const rollup = readIfThere(`/proc/${pid}/smaps_rollup`);
  return rollup === undefined ? 0 : Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)![1]);
}

/** Undefined for a process that has ended meanwhile; one that may not be looked at is an error. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
