import { POTENTIAL_CELLS_MAX } from '../limits.ts';
import type { Shape } from './popularity.ts';
import { shareWaste } from './share-waste.ts';

/** What shapes may be limited to, and how many GPUs of it there are. */
export interface Kind {
  name: string;
  gpus: number;
}

/** How the terms of the potential weigh; what makes the published FGD out of the same tables is a setting too. */
export interface Weights {
  /** Idle GPU that the node's left CPU cannot feed. */
  unfed: number;
  /** Expected waste of shared rests. */
  rests: number;
  /** Share of the popularity, most popular first, that counts. */
  popularityCut: number;
  countsMemory: boolean;
  /**
   * A kind of node is judged by what may go there alone, a shape that may go to few GPUs weighing more on each of them. Else by all that is
   * asked for, and what fits anywhere fills up the kinds that few ask for, to the loss of those few.
   */
  byKind: boolean;
}

/** A plateau: a dozen neighbouring settings differ by under 0.07 points of the openb trace. */
export const WEIGHTS: Weights = { unfed: 1, rests: 2.5, popularityCut: 1, countsMemory: true, byKind: true };

/** Of the CPU that the demand asks for per GPU, the part that an idle GPU must find to count as fed. */
const FED = 0.8;

/**
 * The node potential: idle GPU, in thousandths, that what is asked for cannot use (after FGD, USENIX ATC '23), plus the idle GPU that the
 * left CPU cannot feed, plus the expected waste of shared rests. A choice is as good as it keeps this low.
 *
 * Shapes with the same (gpus, gpuMilli) are a group; `popular[kind][cpu rank][memory rank][group]` is the popularity of those that run on
 * a node of that kind with that much left, so a node costs one row.
 */
export class Potential {
  readonly groupGpus: Int32Array;
  readonly groupMilli: Int32Array;
  readonly popular: Float64Array;
  readonly waste: Float64Array;
  readonly weights: Weights;
  /** Σ popularity: the part of idle GPU that counts as waste when nothing can run. */
  readonly all: number;
  /** Thousandths of a GPU that one thousandth of a vCPU feeds; Infinity when no one asks for CPU. */
  readonly feeds: number;
  private readonly cpus: Int32Array;
  private readonly memories: Int32Array;

  constructor(learnt: readonly { shape: Shape; count: number }[], kinds: readonly Kind[], weights: Weights = WEIGHTS) {
    this.weights = weights;
    let shapes = popularOf(learnt, weights.popularityCut);
    while (cellsOf(shapes, kinds.length) > POTENTIAL_CELLS_MAX) shapes = popularOf(learnt.slice(0, shapes.length >> 1), 1);
    const gpuShapes = shapes.filter(({ shape }) => shape.gpus > 0);
    this.all = sumOf(shapes, ({ popularity }) => popularity);
    this.cpus = ranksOf(gpuShapes.map(({ shape }) => shape.cpuMilli));
    this.memories = ranksOf(gpuShapes.map(({ shape }) => (weights.countsMemory ? shape.memoryMib : 0)));
    const groups = [...new Set(gpuShapes.map(({ shape }) => groupKey(shape)))].sort((a, b) => a - b);
    this.groupGpus = Int32Array.from(groups, (key) => key % 1000);
    this.groupMilli = Int32Array.from(groups, (key) => Math.floor(key / 1000));
    this.popular = new Float64Array(kinds.length * (this.cpus.length + 1) * (this.memories.length + 1) * groups.length);
    const shareOf = new Map(weights.byKind ? gpuShapes.map(({ shape }) => [shape, 1 / gpusFor(shape, kinds)]) : []);
    const scale = kinds.map((kind) =>
      weights.byKind ? 1 / sumOf(gpuShapes, ({ shape, popularity }) => (isFor(shape, kind) ? popularity * (shareOf.get(shape) ?? 0) : 0)) : 1,
    );
    for (const { shape, popularity } of gpuShapes) {
      const group = groups.indexOf(groupKey(shape));
      const cpu = rank(this.cpus, shape.cpuMilli);
      const memory = rank(this.memories, weights.countsMemory ? shape.memoryMib : 0);
      kinds.forEach((kind, k) => {
        if (isFor(shape, kind)) this.popular[this.offset(k, cpu, memory) + group]! += popularity * (shareOf.get(shape) ?? 1) * (scale[k] as number);
      });
    }
    this.accumulate(kinds.length);
    this.waste = shareWaste(gpuShapes);
    const gpu = sumOf(gpuShapes, ({ shape, popularity }) => popularity * shape.gpus * shape.gpuMilli);
    const cpu = sumOf(shapes, ({ shape, popularity }) => popularity * shape.cpuMilli);
    this.feeds = cpu > 0 ? gpu / (FED * cpu) : Infinity;
  }

  /** Where in `popular` the row of groups of a node starts. */
  row(kind: number, cpuMilli: number, memoryMib: number): number {
    return this.offset(kind, rank(this.cpus, cpuMilli), rank(this.memories, memoryMib));
  }

  /** The weighted idle GPU that the left CPU cannot feed. */
  unfed(idleMilli: number, cpuMilli: number): number {
    if (this.feeds === Infinity) return 0;
    const unfed = idleMilli - Math.max(0, cpuMilli) * this.feeds;
    return unfed > 0 ? this.weights.unfed * unfed : 0;
  }

  /** The potential of a node whose GPUs are idle or taken as a whole. */
  ofWhole(kind: number, idleGpus: number, cpuMilli: number, memoryMib: number): number {
    return this.fragmentOfWhole(kind, idleGpus, cpuMilli, memoryMib) + this.unfed(1000 * idleGpus, cpuMilli);
  }

  /** Its first term alone: idle GPU that what is asked for cannot use. */
  fragmentOfWhole(kind: number, idleGpus: number, cpuMilli: number, memoryMib: number): number {
    const { groupGpus, popular } = this;
    const row = this.row(kind, cpuMilli, memoryMib);
    let useful = 0;
    for (let g = 0; g < groupGpus.length; g++) if ((groupGpus[g] as number) <= idleGpus) useful += popular[row + g] as number;
    return 1000 * idleGpus * (this.all - useful);
  }

  private offset(kind: number, cpu: number, memory: number): number {
    return ((kind * (this.cpus.length + 1) + cpu) * (this.memories.length + 1) + memory) * this.groupGpus.length;
  }

  /** From "needs exactly this rank" to "runs with this rank left". */
  private accumulate(kinds: number): void {
    const { popular } = this;
    const groups = this.groupGpus.length;
    const add = (to: number, from: number) => {
      for (let g = 0; g < groups; g++) popular[to + g] = (popular[to + g] as number) + (popular[from + g] as number);
    };
    for (let k = 0; k < kinds; k++) {
      for (let cpu = 0; cpu <= this.cpus.length; cpu++) {
        for (let memory = 1; memory <= this.memories.length; memory++) add(this.offset(k, cpu, memory), this.offset(k, cpu, memory - 1));
      }
      for (let cpu = 1; cpu <= this.cpus.length; cpu++) {
        for (let memory = 0; memory <= this.memories.length; memory++) add(this.offset(k, cpu, memory), this.offset(k, cpu - 1, memory));
      }
    }
  }
}

function popularOf(learnt: readonly { shape: Shape; count: number }[], cut: number): { shape: Shape; popularity: number }[] {
  const total = learnt.reduce((sum, { count }) => sum + count, 0);
  const kept: { shape: Shape; count: number }[] = [];
  let sum = 0;
  for (const entry of learnt) {
    if (sum >= cut * total) break;
    sum += entry.count;
    kept.push(entry);
  }
  return kept.map(({ shape, count }) => ({ shape, popularity: count / sum }));
}

function isFor(shape: Shape, kind: Kind): boolean {
  return shape.kinds === null || shape.kinds.includes(kind.name);
}

function gpusFor(shape: Shape, kinds: readonly Kind[]): number {
  return Math.max(
    1,
    sumOf(kinds, (kind) => (isFor(shape, kind) ? kind.gpus : 0)),
  );
}

function sumOf<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0);
}

/** Callers choose their vCPU and memory: distinct values of the rare shapes must not make the table large. */
function cellsOf(shapes: readonly { shape: Shape }[], kinds: number): number {
  const distinct = (of: (shape: Shape) => number) => new Set(shapes.map(({ shape }) => of(shape))).size + 1;
  return kinds * distinct((shape) => shape.cpuMilli) * distinct((shape) => shape.memoryMib) * distinct(groupKey);
}

/** Groups are sorted by thousandths, so that a share's loop over them branches once. */
function groupKey(shape: Shape): number {
  return shape.gpuMilli * 1000 + shape.gpus;
}

function ranksOf(values: readonly number[]): Int32Array {
  return Int32Array.from(new Set(values)).sort();
}

/** How many of the sorted values are at most `value`. */
function rank(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
