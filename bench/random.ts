/** xoshiro128**: a small seeded generator, so that a run can be repeated. */
export class Random {
  private readonly state = new Uint32Array(4);

  constructor(seed: number) {
    let x = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) >>> 0;
      let z = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      this.state[i] = z ^ (z >>> 16);
    }
  }

  /** Uniform in [0, bound). */
  below(bound: number): number {
    return Math.floor((this.next() / 4294967296) * bound);
  }

  shuffled<T>(values: readonly T[]): T[] {
    const mixed = [...values];
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const value = mixed[i] as T;
      mixed[i] = mixed[j] as T;
      mixed[j] = value;
    }
    return mixed;
  }

  private next(): number {
    const s = this.state;
    const [a, b, c, d] = [s[0] as number, s[1] as number, s[2] as number, s[3] as number];
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    s[2] = c ^ a;
    s[3] = d ^ b;
    s[1] = b ^ (s[2] as number);
    s[0] = a ^ (s[3] as number);
    s[2] = (s[2] as number) ^ (b << 9);
    s[3] = rotated(s[3] as number, 11);
    return result;
  }
}

function rotated(x: number, k: number): number {
  return (x << k) | (x >>> (32 - k));
}
