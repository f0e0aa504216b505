/** Nodes per block: the smallest score of a block is kept, so that finding the smallest of all looks at few numbers. */
const BLOCK = 32;

/** A score per node, Infinity where the demand does not fit; the smallest is found without looking at every node. */
export class Scores {
  readonly allowed: Uint8Array;
  /** How far in the log of changed nodes, and for which tables, the scores are true. */
  upTo = 0;
  tables = -1;
  private readonly score: Float64Array;
  private readonly least: Float64Array;

  constructor(size: number, allowed: Uint8Array) {
    this.allowed = allowed;
    this.score = new Float64Array(size).fill(Infinity);
    this.least = new Float64Array(Math.ceil(size / BLOCK)).fill(Infinity);
  }

  clear(): void {
    this.score.fill(Infinity);
    this.least.fill(Infinity);
  }

  get(n: number): number {
    return this.score[n] as number;
  }

  set(n: number, score: number): void {
    const block = (n / BLOCK) | 0;
    const least = this.least[block] as number;
    const was = this.score[n] as number;
    this.score[n] = score;
    if (score <= least) this.least[block] = score;
    else if (was === least) this.least[block] = this.leastOf(block);
  }

  /** The first node with the smallest score, or -1. */
  best(): number {
    const { least, score } = this;
    let best = -1;
    let smallest = Infinity;
    for (let block = 0; block < least.length; block++) {
      if ((least[block] as number) >= smallest) continue;
      smallest = least[block] as number;
      best = block;
    }
    if (best < 0) return -1;
    let n = best * BLOCK;
    while (score[n] !== smallest) n++;
    return n;
  }

  private leastOf(block: number): number {
    let least = Infinity;
    for (let n = block * BLOCK; n < Math.min(this.score.length, (block + 1) * BLOCK); n++) {
      const score = this.score[n] as number;
      if (score < least) least = score;
    }
    return least;
  }
}
