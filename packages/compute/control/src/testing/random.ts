/** A small seeded generator (xorshift): a failing case is named by its seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2_654_435_761) >>> 0 || 1;
  }

  /** Whole, 0 up to but without `bound`. */
  below(bound: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return Math.floor(((this.state >>> 0) / 2 ** 32) * bound);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }
}
