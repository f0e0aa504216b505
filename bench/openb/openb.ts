import type { BenchOptions, Group } from '../group.ts';
import type { Measured } from '../row.ts';
import { offersOf } from './offers.ts';
import { BEST_FIT, FGD, OURS, type Policy, RANDOM } from './policies.ts';
import { Random } from '../random.ts';
import { readTrace, type Trace, type Workload } from './trace.ts';

const SEEDS = Array.from({ length: 10 }, (_, i) => 42 + i);
const DEMAND = 1.3;

/** Our own replay of the published policies must meet the published means, or the replay is wrong and our row means nothing. */
const REPLAYED: { policy: Policy; within: number }[] = [
  { policy: RANDOM, within: 0.5 },
  { policy: BEST_FIT, within: 0.5 },
  { policy: FGD, within: 0.3 },
];

/** GPU allocated at 130 % demand, in percent of all GPUs, mean of ten seeds, on every workload of the folder (compute.md §12). */
export const openb: Group = {
  name: 'openb',
  *run(options: BenchOptions): Iterable<Measured> {
    const trace = readTrace(options.data);
    const gains: number[] = [];
    for (const workload of trace.workloads) {
      for (const { policy, within } of REPLAYED) {
        const published = trace.published.get(`${workload.name} ${policy.name}`);
        if (published === undefined) continue;
        const value = meanOf(trace, workload, policy);
        const peer = { name: 'published', value: published };
        yield { id: `openb.${workload.name}.${policy.name}`, value, unit: '%', peer, judged: Math.abs(value - peer.value), must: { atMost: within } };
      }
      const fgd = trace.published.get(`${workload.name} FGD`);
      const value = meanOf(trace, workload, OURS);
      if (fgd === undefined) {
        yield { id: `openb.${workload.name}.ours`, value, unit: '%' };
        continue;
      }
      const gain = value - fgd;
      gains.push(gain);
      const peer = { name: 'published FGD', value: fgd };
      yield { id: `openb.${workload.name}.ours`, value, unit: '%', peer, judged: gain, must: { above: 0 }, goal: { atLeast: 0.3 } };
    }
    if (gains.length > 0)
      yield { id: 'openb.gain', value: gains.reduce((a, b) => a + b) / gains.length, unit: 'points', must: { above: 0 }, goal: { atLeast: 0.7 } };
  },
};

function meanOf(trace: Trace, workload: Workload, policy: Policy): number {
  const gpuMilli = trace.nodes.reduce((sum, node) => sum + node.gpus * 1000, 0);
  const percents = SEEDS.map((seed) => {
    const random = new Random(seed);
    const offers = offersOf(workload.tasks, gpuMilli, DEMAND, random);
    return (100 * policy.run(trace.nodes, offers, workload.tasks, random)) / gpuMilli;
  });
  return percents.reduce((a, b) => a + b) / percents.length;
}
