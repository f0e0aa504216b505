import { POPULARITY_HALVES_AT, SHAPES_MAX } from '../limits.ts';

/** What is asked for: `gpus` GPUs with `gpuMilli` thousandths of each, and host totals. `kinds` null = any kind of node. */
export interface Shape {
  gpus: number;
  gpuMilli: number;
  cpuMilli: number;
  memoryMib: number;
  kinds: readonly string[] | null;
}

/** How often each shape was asked for. It follows drift: counts are halved now and then, and what is asked for no more is forgotten. */
export class Popularity {
  /** Every shape learnt so far; the weighting is what tables are made of. */
  private readonly counts = new Map<string, { shape: Shape; count: number }>();
  private total = 0;
  learnt = 0;

  /** `key` is the shape's, for a caller that has it already. */
  learn(shape: Shape, key = keyOf(shape)): void {
    const known = this.counts.get(key);
    if (known) known.count++;
    else if (this.counts.size < SHAPES_MAX) this.counts.set(key, { shape, count: 1 });
    this.learnt++;
    this.total++;
    if (this.total >= POPULARITY_HALVES_AT) this.halve();
  }

  /** Most popular first. */
  shapes(): { shape: Shape; count: number }[] {
    return [...this.counts.values()].sort((a, b) => b.count - a.count);
  }

  private halve(): void {
    this.total = 0;
    for (const [key, entry] of this.counts) {
      entry.count /= 2;
      if (entry.count < 1) this.counts.delete(key);
      else this.total += entry.count;
    }
  }
}

export function keyOf(shape: Shape): string {
  return `${shape.gpus} ${shape.gpuMilli} ${shape.cpuMilli} ${shape.memoryMib} ${shape.kinds === null ? '' : JSON.stringify(shape.kinds)}`;
}
