import { execFile } from 'node:child_process';
import { limits } from '../limits.ts';
import type { Diagnosis } from './devices.ts';

const FIELDS = ['index', 'uuid', 'name', 'driver_version', 'temperature.gpu', 'memory.used', 'memory.total', 'ecc.errors.uncorrected.volatile.total'];

/** Asks NVIDIA's own tool (compute.md §8, `diag.nvml`). A machine without it or without its driver is a fact, not a failure. */
export function diagnoseNvidia(command = 'nvidia-smi'): Promise<Diagnosis> {
  return new Promise((resolve) => {
    const args = [`--query-gpu=${FIELDS.join(',')}`, '--format=csv,noheader,nounits'];
    execFile(command, args, { timeout: limits.diagnosticMs, maxBuffer: limits.diagnosticBytesMax }, (error, stdout) => {
      if (!error) return resolve(diagnosisOf(stdout));
      const { code } = error as NodeJS.ErrnoException;
      const said = stdout.split('\n', 1)[0]!.trim().slice(0, limits.logLineMax);
      resolve({ driver: null, reason: code === 'ENOENT' ? 'nvidia-smi is not on this machine' : said || `nvidia-smi ended with ${String(code)}` });
    });
  });
}

function diagnosisOf(csv: string): Diagnosis {
  const rows = csv.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.split(',').map((cell) => cell.trim())]));
  const [first] = rows;
  if (!first) return { driver: null, reason: 'nvidia-smi shows no GPU' };
  const gpus = rows.map(([index, uuid, product, , temperature, used, total, errors]) => ({
    index: Number(index),
    uuid: uuid ?? '',
    product: product ?? '',
    temperatureC: numberOf(temperature),
    memoryUsedMiB: numberOf(used),
    memoryMiB: numberOf(total),
    uncorrectedErrors: numberOf(errors),
  }));
  return { driver: first[3] ?? '', gpus };
}

/** `[N/A]` and its like are null. */
const numberOf = (cell: string | undefined): number | null => (cell !== undefined && /^\d+(\.\d+)?$/.test(cell) ? Number(cell) : null);
