import { expect, test } from 'vitest';
import type { Selector } from '../request.ts';
import { gpu, node } from '../testing/pools.ts';
import { matches } from './selector.ts';

const NODE = node('a', 1, { region: 'fra', labels: { zone: 'x', tier: '10', text: 'ten', constructor: 'own' } });

test.each<[boolean, Selector]>([
  [true, { key: 'zone', op: 'In', values: ['w', 'x'] }],
  [false, { key: 'zone', op: 'In', values: ['w'] }],
  [false, { key: 'missing', op: 'In', values: ['x'] }],
  [false, { key: 'zone', op: 'NotIn', values: ['x'] }],
  [true, { key: 'zone', op: 'NotIn', values: ['w'] }],
  [true, { key: 'missing', op: 'NotIn', values: ['x'] }],
  [true, { key: 'zone', op: 'Exists' }],
  [false, { key: 'missing', op: 'Exists' }],
  [false, { key: 'zone', op: 'DoesNotExist' }],
  [true, { key: 'missing', op: 'DoesNotExist' }],
  [true, { key: 'tier', op: 'Gt', values: ['9'] }],
  [false, { key: 'tier', op: 'Gt', values: ['10'] }],
  [true, { key: 'tier', op: 'Gte', values: ['10'] }],
  [true, { key: 'tier', op: 'Lt', values: ['10.5'] }],
  [false, { key: 'tier', op: 'Lt', values: ['10'] }],
  [true, { key: 'tier', op: 'Lte', values: ['10'] }],
  [false, { key: 'missing', op: 'Lt', values: ['1'] }],
  [false, { key: 'text', op: 'Gt', values: ['1'] }],
  [false, { key: 'tier', op: 'Gt', values: [] }],
  [true, { key: 'gpu.model', op: 'In', values: ['H100'] }],
  [true, { key: 'gpu.product', op: 'In', values: ['H100-SXM5-80GB'] }],
  [true, { key: 'gpu.memoryGiB', op: 'Gte', values: ['80'] }],
  [true, { key: 'node.id', op: 'In', values: ['a'] }],
  [true, { key: 'node.region', op: 'In', values: ['fra'] }],
  [true, { key: 'constructor', op: 'In', values: ['own'] }],
  [false, { key: 'toString', op: 'Exists' }],
])('compute§5.1 %s: %j', (expected, selector) => {
  expect(matches(selector, NODE, gpu('a', 0))).toBe(expected);
});

test('compute§5.1 without a GPU the GPU keys are missing labels', () => {
  expect(matches({ key: 'gpu.model', op: 'In', values: ['H100'] }, NODE, null)).toBe(false);
  expect(matches({ key: 'gpu.model', op: 'NotIn', values: ['H100'] }, NODE, null)).toBe(true);
});
