import type { Potential } from '../potential/potential.ts';
import { wasteOf } from '../potential/share-waste.ts';
import type { Demand, SharePool } from './share-pool.ts';

/**
 * Per node and group of shapes: how many GPUs could give the group's thousandths, and how much idle GPU is on those. With that the potential
 * of a node, and its change by a placement, are one pass over the groups.
 */
export class ShareGroups {
  private readonly pool: SharePool;
  private readonly potential: Potential;
  private readonly count: Int32Array;
  private readonly useful: Int32Array;
  private readonly before: Float64Array;
  private readonly restsBefore: Float64Array;

  constructor(pool: SharePool, potential: Potential) {
    this.pool = pool;
    this.potential = potential;
    this.count = new Int32Array(pool.size * potential.groupMilli.length);
    this.useful = new Int32Array(pool.size * potential.groupMilli.length);
    this.before = new Float64Array(pool.size);
    this.restsBefore = new Float64Array(pool.size);
    for (let n = 0; n < pool.size; n++) this.refresh(n);
  }

  /** Must follow every change of a node. */
  refresh(n: number): void {
    const { groupMilli } = this.potential;
    const { rest, stride } = this.pool;
    const groups = groupMilli.length;
    for (let g = 0; g < groups; g++) {
      const milli = groupMilli[g] as number;
      let count = 0;
      let useful = 0;
      for (let i = n * stride; i < (n + 1) * stride; i++) {
        const left = rest[i] as number;
        if (left < milli) continue;
        count++;
        useful += left;
      }
      this.count[n * groups + g] = count;
      this.useful[n * groups + g] = useful;
    }
    this.restsBefore[n] = this.rests(n);
    this.before[n] = this.ofNode(n);
  }

  private ofNode(n: number): number {
    const { pool, potential } = this;
    const idle = pool.idle[n] as number;
    const cpu = pool.cpu[n] as number;
    return (
      this.fragment(n, idle, potential.row(pool.kind[n] as number, cpu, pool.memory[n] as number), 0, 0, 0) +
      potential.unfed(idle, cpu) +
      (this.restsBefore[n] as number)
    );
  }

  private rests(n: number): number {
    const { weights, waste } = this.potential;
    if (weights.rests === 0) return 0;
    const { rest, stride } = this.pool;
    let sum = 0;
    for (let i = n * stride; i < (n + 1) * stride; i++) sum += wasteOf(waste, rest[i] as number);
    return weights.rests * sum;
  }

  /** F of the node after `gpus` GPUs that have `from` left have given `milli` each; `idle` is after that. */
  private fragment(n: number, idle: number, row: number, gpus: number, from: number, milli: number): number {
    const { groupGpus, groupMilli, popular, all } = this.potential;
    const groups = groupMilli.length;
    const base = n * groups;
    let useful = 0;
    for (let g = 0; g < groups; g++) {
      let count = this.count[base + g] as number;
      let sum = this.useful[base + g] as number;
      const need = groupMilli[g] as number;
      if (need <= from - milli) sum -= gpus * milli;
      else if (need <= from) {
        count -= gpus;
        sum -= gpus * from;
      }
      if (count >= (groupGpus[g] as number)) useful += (popular[row + g] as number) * sum;
    }
    return idle * all - useful;
  }

  /** How much the potential rises when the demand goes here; it must fit. `gpu` is which GPU gives a single share. */
  rise(n: number, demand: Demand, best: { gpu: number }): number {
    const { pool, potential } = this;
    const { weights, waste } = potential;
    const idle = (pool.idle[n] as number) - demand.gpus * demand.gpuMilli;
    const cpu = (pool.cpu[n] as number) - demand.cpuMilli;
    const row = potential.row(pool.kind[n] as number, cpu, (pool.memory[n] as number) - demand.memoryMib);
    const fixed = potential.unfed(idle, cpu) - (this.before[n] as number) + (this.restsBefore[n] as number);
    if (demand.gpus !== 1 || demand.gpuMilli === 1000) return fixed + this.fragment(n, idle, row, demand.gpus, 1000, 1000);
    let least = Infinity;
    for (let i = 0; i < pool.stride; i++) {
      const left = pool.rest[n * pool.stride + i] as number;
      if (left < demand.gpuMilli || seenBefore(pool, n, i)) continue;
      const rests = weights.rests === 0 ? 0 : weights.rests * (wasteOf(waste, left - demand.gpuMilli) - wasteOf(waste, left));
      const rise = fixed + rests + this.fragment(n, idle, row, 1, left, demand.gpuMilli);
      if (rise < least) {
        least = rise;
        best.gpu = i;
      }
    }
    return least;
  }
}

/** GPUs with the same left are the same choice. */
function seenBefore(pool: SharePool, n: number, gpu: number): boolean {
  const base = n * pool.stride;
  for (let i = base; i < base + gpu; i++) if (pool.rest[i] === pool.rest[base + gpu]) return true;
  return false;
}
