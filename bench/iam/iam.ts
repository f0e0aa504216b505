import type { SideBySide } from '../callers.ts';
import type { Group } from '../group.ts';
import type { Measured } from '../row.ts';
import { authorizeBesideSelect } from './authorize.ts';
import { decideMicroseconds } from './decide.ts';

/** Decisions (compute.md §12). */
export const iam: Group = {
  name: 'iam',
  async *run(): AsyncIterable<Measured> {
    yield { id: 'iam.decide.p50', value: decideMicroseconds(), unit: 'µs', must: { atMost: 10 }, goal: { atMost: 3 } };
    const { own, pool } = await authorizeBesideSelect();
    yield { id: 'iam.authorize', ...beside(own), must: { atLeast: 0.4 }, goal: { atLeast: 0.7 } };
    yield { id: 'iam.authorize.pool', ...beside(pool) };
  },
};

const beside = ({ value, peer, ratio }: SideBySide) => ({ value, unit: '/s', peer: { name: 'one named select', value: peer }, ratio });
