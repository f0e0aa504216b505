import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../random.ts';
import { offersOf } from './offers.ts';
import { FGD, OURS } from './policies.ts';
import { readTrace } from './trace.ts';

const trace = readTrace(join(import.meta.dirname, '..', 'data', 'openb'));
const GPU_MILLI = trace.nodes.reduce((sum, node) => sum + node.gpus * 1000, 0);

test('compute§12 the trace is read as published, and offers ask for the demand wanted', () => {
  expect([trace.nodes.length, GPU_MILLI]).toEqual([1213, 6_212_000]);
  expect(trace.workloads.map((workload) => workload.name)).toEqual(['cpu200', 'default', 'gpushare40', 'gpuspec33', 'multigpu50']);
  for (const { tasks } of trace.workloads) {
    const asked = offersOf(tasks, GPU_MILLI, 1.3, new Random(1)).reduce((sum, task) => sum + task.gpus * task.gpuMilli, 0);
    expect(asked / GPU_MILLI).toBeGreaterThan(1.29);
    expect(asked / GPU_MILLI).toBeLessThan(1.31);
  }
});

test('compute§12 on one seed the replay of FGD meets the published mean and ours, learnt online, is above it', () => {
  const { tasks } = trace.workloads.find((workload) => workload.name === 'default') ?? { tasks: [] };
  const percent = (policy: typeof FGD) => {
    const random = new Random(42);
    return (100 * policy.run(trace.nodes, offersOf(tasks, GPU_MILLI, 1.3, random), tasks, random)) / GPU_MILLI;
  };
  const published = trace.published.get('default FGD') ?? Number.NaN;
  expect(Math.abs(percent(FGD) - published)).toBeLessThan(0.5);
  expect(percent(OURS)).toBeGreaterThan(published);
});
