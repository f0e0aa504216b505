import { type Demand, Popularity, SharePlacer, type ShareNode, SharePool, WEIGHTS } from '@better-compute/placement';
import type { Random } from '../random.ts';

export interface Policy {
  name: string;
  /** Offers every task once and says how many thousandths of a GPU were placed. */
  run(nodes: readonly ShareNode[], offers: readonly Demand[], tasks: readonly Demand[], random: Random): number;
}

/** Uniform among fitting nodes, a share on a uniform fitting GPU. */
export const RANDOM: Policy = {
  name: 'Random',
  run: (nodes, offers, _, random) =>
    scan(nodes, offers, (pool, task, allowed) => {
      const fitting: number[] = [];
      for (let n = 0; n < pool.size; n++) if (pool.fits(n, task, allowed)) fitting.push(n);
      if (fitting.length === 0) return undefined;
      const n = fitting[random.below(fitting.length)] as number;
      const gpus = Array.from({ length: pool.stride }, (_, i) => i).filter((i) => (pool.rest[n * pool.stride + i] as number) >= task.gpuMilli);
      return { n, gpu: gpus[random.below(gpus.length)] };
    }),
};

/** Least weighted rest after placing: half CPU of 128,000, half GPU of 8,000; a share on the fitting GPU with least left. */
export const BEST_FIT: Policy = {
  name: 'BestFit',
  run: (nodes, offers, _, random) =>
    scan(random.shuffled(nodes), offers, (pool, task, allowed) => {
      let best: number | undefined;
      let least = Infinity;
      for (let n = 0; n < pool.size; n++) {
        const left = (pool.cpu[n] as number) / 128_000 + (pool.idle[n] as number) / 8000;
        if (left < least && pool.fits(n, task, allowed)) {
          least = left;
          best = n;
        }
      }
      return best === undefined ? undefined : { n: best };
    }),
};

/** As published: popularity of the list of tasks known, classes up to 95 % without memory, sigmoid score cut to an integer. */
export const FGD: Policy = {
  name: 'FGD',
  run(nodes, offers, tasks, random) {
    const pool = new SharePool(random.shuffled(nodes));
    const popularity = new Popularity();
    for (const task of tasks) popularity.learn({ ...task, memoryMib: 0 });
    const weights = { ...WEIGHTS, unfed: 0, rests: 0, popularityCut: 0.95, countsMemory: false, byKind: false };
    const score = (rise: number) => -Math.floor(100 / (1 + Math.exp(rise)));
    return offerAll(new SharePlacer(pool, popularity, { weights, score, learns: false }), offers);
  },
};

/** The product's potential, which knows nothing before the first offer. */
export const OURS: Policy = {
  name: 'ours',
  run: (nodes, offers, _, random) => offerAll(new SharePlacer(new SharePool(random.shuffled(nodes)), new Popularity()), offers),
};

function offerAll(placer: SharePlacer, offers: readonly Demand[]): number {
  let placed = 0;
  for (const task of offers) if (placer.offer(task) >= 0) placed += task.gpus * task.gpuMilli;
  return placed;
}

function scan(
  nodes: readonly ShareNode[],
  offers: readonly Demand[],
  choose: (pool: SharePool, task: Demand, allowed: Uint8Array) => { n: number; gpu?: number | undefined } | undefined,
): number {
  const pool = new SharePool(nodes);
  let placed = 0;
  for (const task of offers) {
    const choice = choose(pool, task, pool.allowed(task));
    if (!choice) continue;
    pool.take(choice.n, task, task.gpus === 1 ? choice.gpu : undefined);
    placed += task.gpus * task.gpuMilli;
  }
  return placed;
}
