import { Popularity, SharePlacer, SharePool } from '@better-compute/placement';
import { cpuMs } from '../cpu-clock.ts';
import type { BenchOptions, Group } from '../group.ts';
import { offersOf } from '../openb/offers.ts';
import { readTrace, type Trace } from '../openb/trace.ts';
import { quantile } from '../quantile.ts';
import { Random } from '../random.ts';
import type { Measured } from '../row.ts';
import { LivePool } from './live-pool.ts';
import { poolOf } from './pool.ts';

/** About 10,000 live GPU intervals on the trace's machines, a third of them starting later. */
const MIX = { laterPercent: 21, laterHours: 96 };
const DEMAND = 1.5;

/** Speed of the pure core on one core (compute.md §12). */
export const placement: Group = {
  name: 'placement',
  *run(options: BenchOptions): Iterable<Measured> {
    const trace = readTrace(options.data);
    yield { id: 'placement.trace-offers', value: offersPerSecond(trace), unit: '/s', must: { atLeast: 20_000 }, goal: { atLeast: 100_000 } };
    const pool = new LivePool(poolOf(trace.nodes), MIX, DEMAND, new Random(1));
    pool.run(72);
    const samples = pool.run(96);
    const rate = (1000 * samples.placedMs.length) / samples.placedCpuMs;
    yield { id: 'placement.live-intervals', value: samples.liveIntervals, unit: 'GPUs' };
    yield { id: 'placement.live-intervals-later', value: (100 * samples.laterIntervals) / samples.liveIntervals, unit: '%' };
    yield {
      id: 'placement.with-time',
      value: rate,
      unit: '/s',
      must: { atLeast: 5000 },
      goal: { atLeast: 20_000 },
    };
    yield { id: 'placement.with-time.p50', value: 1000 * quantile(samples.placedMs, 0.5), unit: 'µs' };
    yield { id: 'placement.with-time.p99', value: 1000 * quantile(samples.placedMs, 0.99), unit: 'µs' };
    yield { id: 'placement.refusal.p50', value: quantile(samples.refusedMs, 0.5), unit: 'ms' };
    yield { id: 'placement.refusal.p99', value: quantile(samples.refusedMs, 0.99), unit: 'ms', must: { atMost: 50 }, goal: { atMost: 10 } };
    const large = new LivePool(poolOf(trace.nodes, 16), MIX, DEMAND, new Random(1));
    large.run(8);
    const sixteen = large.run(4);
    yield {
      id: 'placement.at-99392-gpus',
      value: (1000 * sixteen.placedMs.length) / sixteen.placedCpuMs,
      unit: '/s',
      peer: { name: '1213 nodes', value: rate },
    };
    yield { id: 'placement.at-99392-gpus.p50', value: 1000 * quantile(sixteen.placedMs, 0.5), unit: 'µs' };
  },
};

/** Popularity learnt online, tables built on the way; all workloads, three seeds. */
function offersPerSecond(trace: Trace): number {
  const gpuMilli = trace.nodes.reduce((sum, node) => sum + node.gpus * 1000, 0);
  let offers = 0;
  let spentMs = 0;
  for (const seed of [1, 2, 3]) {
    for (const { tasks } of trace.workloads) {
      const random = new Random(seed);
      const demands = offersOf(tasks, gpuMilli, 1.3, random);
      const nodes = random.shuffled(trace.nodes);
      const began = cpuMs();
      const placer = new SharePlacer(new SharePool(nodes), new Popularity());
      for (const demand of demands) placer.offer(demand);
      spentMs += cpuMs() - began;
      offers += demands.length;
    }
  }
  return (1000 * offers) / spentMs;
}
