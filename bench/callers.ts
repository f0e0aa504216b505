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
export async function sideBySide(rounds: number, value: () => Promise<number>, peer: () => Promise<number>): Promise<SideBySide> {
  const values: number[] = [];
  const peers: number[] = [];
  // each once before, so that code is compiled and connections are there
  for (const run of [value, peer]) await run();
  for (let round = 0; round < rounds; round++) {
    const isValueFirst = round % 2 === 0;
    if (isValueFirst) values.push(await value());
    peers.push(await peer());
    if (!isValueFirst) values.push(await value());
  }
  return { value: medianOf(values), peer: medianOf(peers), ratio: medianOf(values.map((one, i) => one / peers[i]!)) };
}

export const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
