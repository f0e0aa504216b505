import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Demand, ShareNode } from '@better-compute/placement';

export interface Workload {
  name: string;
  tasks: Demand[];
}

export interface Trace {
  nodes: ShareNode[];
  workloads: Workload[];
  /** Published mean GPU allocated in percent, by `workload policy`. */
  published: Map<string, number>;
}

/** Reads the folder described in its README. A column a file does not have is empty. */
export function readTrace(folder: string): Trace {
  const nodes = rowsOf(folder, 'nodes.csv').map((row) => ({
    cpuMilli: Number(row.cpu_milli),
    memoryMib: Number(row.memory_mib),
    gpus: Number(row.gpu),
    kind: row.model ?? '',
  }));
  const files = readdirSync(folder).filter((file) => /^pods_.*\.csv$/.test(file));
  const published = new Map(rowsOf(folder, 'expected.csv').map((row) => [`${row.workload} ${row.policy}`, Number(row.mean_gpu_allocated_percent_at_130)]));
  return { nodes, workloads: files.sort().map((file) => ({ name: file.slice(5, -4), tasks: rowsOf(folder, file).map(taskOf) })), published };
}

function taskOf(row: Record<string, string>): Demand {
  const gpus = Number(row.num_gpu || 0);
  return {
    gpus,
    gpuMilli: gpus > 0 ? Number(row.gpu_milli || 1000) : 0,
    cpuMilli: Number(row.cpu_milli || 0),
    memoryMib: Number(row.memory_mib || 0),
    kinds: row.gpu_spec ? [...new Set(row.gpu_spec.split('|'))].sort() : null,
  };
}

function rowsOf(folder: string, file: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i] ?? '', value])));
}
