import type { FleetConfig, FleetPool } from '@better-compute/contract';
import { expect, test } from 'vitest';
import { type FleetState, planOf } from './plan-of.ts';

const pool = (more: Partial<FleetPool> = {}): FleetPool => ({
  name: 'H100',
  kind: 'gpu',
  placement: 'lease',
  labels: {},
  tenants: 'all',
  operators: [],
  defaults: { vcpuPerGpu: 8, memoryGiBPerGpu: 64 },
  limits: { maxGpus: 64, maxDuration: '30d' },
  onNodeLoss: 'keep',
  nodeGraceSeconds: 300,
  allowUnlimited: false,
  flavors: {},
  images: [],
  ...more,
});
const file = (pools: FleetConfig['pools'], more: Partial<FleetConfig> = {}): FleetConfig => ({ version: 1, pools, ...more });
const now = (config: FleetConfig, versions: Record<string, number> = {}): FleetState => ({
  config,
  poolVersions: new Map(Object.entries(versions)),
  budgetVersions: new Map(),
  version: 1,
});

test('compute§9 what is the same plans nothing', () => {
  const config = file({ pool_a: pool() }, { prices: { currency: 'EUR', gpuHour: { H100: 2 } } });
  expect(planOf(now(config, { pool_a: 3 }), structuredClone(config))).toMatchObject({ changes: [], calls: [] });
});

test('compute§9 new and gone pools are whole changes, others name each member that differs; only a deletion destroys', () => {
  const before = now(file({ pool_a: pool(), pool_gone: pool() }), { pool_a: 1, pool_gone: 1 });
  const limits = { maxGpus: 8, maxDuration: '30d' };
  const flavors = { small: { vcpu: 1, memoryGiB: 1, diskGiB: 1 } };
  const plan = planOf(before, file({ pool_a: pool({ limits, flavors, region: 'fra' }), pool_new: pool() }));
  expect(plan.changes).toEqual([
    { op: 'update', kind: 'pool', id: 'pool_a', path: 'flavors.small', before: null, after: flavors.small, risk: 'none' },
    { op: 'update', kind: 'pool', id: 'pool_a', path: 'limits.maxGpus', before: 64, after: 8, risk: 'none' },
    { op: 'update', kind: 'pool', id: 'pool_a', path: 'region', before: null, after: 'fra', risk: 'none' },
    { op: 'delete', kind: 'pool', id: 'pool_gone', path: '', before: pool(), after: null, risk: 'destroys' },
    { op: 'create', kind: 'pool', id: 'pool_new', path: '', before: null, after: pool(), risk: 'none' },
  ]);
  expect(plan.calls).toEqual([
    { call: 'pool.update', id: 'pool_a' },
    { call: 'pool.delete', id: 'pool_gone' },
    { call: 'pool.create', id: 'pool_new' },
  ]);
});

test('compute§9 the hash is of the file and of the generations of what it touches, and of nothing else', () => {
  const state = (versions: Record<string, number>) => now(file({ pool_a: pool(), pool_b: pool() }), versions);
  const wanted = file({ pool_a: pool({ name: 'other' }), pool_b: pool() });
  const hash = planOf(state({ pool_a: 1, pool_b: 1 }), wanted).planHash;
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(planOf(state({ pool_a: 1, pool_b: 9 }), wanted).planHash).toBe(hash);
  expect(planOf(state({ pool_a: 2, pool_b: 1 }), wanted).planHash).not.toBe(hash);
  expect(planOf(state({ pool_a: 1, pool_b: 1 }), file({ ...wanted.pools, pool_b: pool({ name: 'too' }) })).planHash).not.toBe(hash);
});

test('compute§9 prices come, change and go', () => {
  const prices = { currency: 'EUR', gpuHour: { H100: 2 } };
  expect(planOf(now(file({})), file({}, { prices })).changes).toMatchObject([{ op: 'create', kind: 'prices', id: 'prices', path: '', risk: 'none' }]);
  const priced = now(file({}, { prices }));
  expect(planOf(priced, file({}, { prices: { ...prices, gpuHour: { H100: 3 } } })).changes).toMatchObject([{ path: 'gpuHour.H100', before: 2, after: 3 }]);
  expect(planOf(priced, file({})).changes).toMatchObject([{ op: 'delete', kind: 'prices' }]);
});
