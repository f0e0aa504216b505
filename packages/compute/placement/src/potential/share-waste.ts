import type { Shape } from './popularity.ts';

const STEP_MILLI = 10;
const STEPS = 1000 / STEP_MILLI;
/** How strongly later shares pick the rest that wastes less. */
const PICKINESS = 5;
/** Popularity of shares at which one is as likely as not to come for a rest. */
const DOUBT = 0.01;

/**
 * Expected waste of a shared GPU by what is left of it, in thousandths, by steps of 10: with probability q some share comes that fits, and is
 * likelier to go where the rest after it wastes little; else all of it stays idle. A whole GPU is no rest.
 */
export function shareWaste(shapes: readonly { shape: Shape; popularity: number }[]): Float64Array {
  const shares = new Map<number, number>();
  for (const { shape, popularity } of shapes) {
    if (shape.gpus === 1 && shape.gpuMilli < 1000) shares.set(shape.gpuMilli, (shares.get(shape.gpuMilli) ?? 0) + popularity);
  }
  const waste = new Float64Array(STEPS + 1);
  for (let step = 1; step < STEPS; step++) {
    const left = step * STEP_MILLI;
    let coming = 0;
    let weights = 0;
    let expected = 0;
    for (const [milli, popularity] of shares) {
      if (milli > left) continue;
      const after = wasteOf(waste, left - milli);
      const weight = popularity * Math.exp((-PICKINESS * after) / 1000);
      coming += popularity;
      weights += weight;
      expected += weight * after;
    }
    const q = coming / (coming + DOUBT);
    waste[step] = (1 - q) * left + (weights > 0 ? (q * expected) / weights : 0);
  }
  return waste;
}

export function wasteOf(waste: Float64Array, leftMilli: number): number {
  return waste[(leftMilli / STEP_MILLI) | 0] as number;
}
