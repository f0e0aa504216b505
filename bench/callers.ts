/** Runs `work` so many times in all, by callers that each wait for their answer before they ask again; gives the rate. */
export async function ratePerSecond(callers: number, times: number, work: (caller: number) => Promise<unknown>): Promise<number> {
  let left = times;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (left-- > 0) await work(caller);
    }),
  );
  return (1000 * times) / (performance.now() - began);
}

export interface SideBySide {
  /** Medians of the rounds. */
  value: number;
  peer: number;
  /** Median of the rounds' own ratios: what else the machine did in a round, it did to both. */
  ratio: number;
}

/** One after the other in every round, so that both meet the same machine. */
export async function inPairs<T>(rounds: number, value: () => Promise<T>, peer: () => Promise<T>): Promise<{ value: T; peer: T }[]> {
  const pairs: { value: T; peer: T }[] = [];
  // each once before, so that code is compiled and connections are there
  for (const run of [value, peer]) await run();
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) pairs.push({ value: await value(), peer: await peer() });
    else {
      const first = await peer();
      pairs.push({ value: await value(), peer: first });
    }
  }
  return pairs;
}

export const besideOf = (pairs: readonly { value: number; peer: number }[]): SideBySide => ({
  value: medianOf(pairs.map((pair) => pair.value)),
  peer: medianOf(pairs.map((pair) => pair.peer)),
  ratio: medianOf(pairs.map((pair) => pair.value / pair.peer)),
});

export const sideBySide = async (rounds: number, value: () => Promise<number>, peer: () => Promise<number>): Promise<SideBySide> =>
  besideOf(await inPairs(rounds, value, peer));

export const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
