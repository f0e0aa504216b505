import { expect, test } from 'vitest';
import { createLedger, type DeviceRequest } from '../index.ts';
import { ask, claimOf, HOUR, node } from '../testing/pools.ts';

const gang = (...parts: Partial<DeviceRequest>[]) => ({ ...ask(1), requests: parts.map((part) => ({ count: 1, nvlink: false, selector: [], ...part })) });
const zone = (...values: string[]) => [{ key: 'zone', op: 'In' as const, values }];

test('compute§5.3 a gang is placed where one part after the other would block itself', () => {
  // 'a' suits both parts, 'b' only the first: whoever comes first must not take 'a' from the second
  const nodes = [node('a', 2, { labels: { zone: 'a' } }), node('b', 2, { labels: { zone: 'b' } })];
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const ledger = createLedger({ seed, nodes });
    const placed = ledger.place(gang({ count: 2, selector: zone('a', 'b') }, { count: 2, selector: zone('a') }), 0);
    expect(placed.ok && placed.claims.map((claim) => [claim.requestIndex, claim.nodeId])).toEqual([
      [0, 'b'],
      [1, 'a'],
    ]);
  }
});

test('compute§5.3 the NVLink domains of a gang are searched: the obvious one for each part is wrong for all', () => {
  // domain 'big' holds 4 + 2, 'small' holds 4: the part of 4 must go to 'small' only when that leaves 'big' for 3 + 3
  const nodes = [node('big1', 4, {}, { nvlinkDomain: 'big' }), node('big2', 2, {}, { nvlinkDomain: 'big' }), node('small', 4, {}, { nvlinkDomain: 'small' })];
  const ledger = createLedger({ seed: 3, nodes });
  const placed = ledger.place(gang({ count: 3, nvlink: true }, { count: 3, nvlink: true }, { count: 4, nvlink: true }), 0);
  expect(placed.ok && placed.claims.filter((claim) => claim.requestIndex === 2).map((claim) => claim.nodeId)).toEqual(['small']);
});

test('compute§5.3 a gang is all or none, and says which part is in the way', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 4), node('b', 4)] });
  ledger.claim(claimOf('1', 'a', [0], 0, 2 * HOUR));
  const placed = ledger.place(gang({ count: 4, nvlink: true }, { count: 4, nvlink: true }), 0);
  expect(placed.ok).toBe(false);
  if (placed.ok) return;
  expect(placed.refusal).toMatchObject({ kind: 'NO_CAPACITY', earliestStart: 2 * HOUR, smallestChange: { kind: 'fewer-gpus', count: 3 } });
  expect(placed.refusal.notProven).toBeUndefined();
});

test('compute§5.3 parts of a gang share the host of a node', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 8, { vcpu: 6 }), node('b', 8, { vcpu: 2 })] });
  const asked = { ...gang({ count: 4 }, { count: 4 }), vcpu: 8 };
  const placed = ledger.place(asked, 0);
  const onA = placed.ok && placed.claims.filter((claim) => claim.nodeId === 'a').reduce((sum, claim) => sum + claim.vcpu, 0);
  expect(onA).toBe(6);
  expect(ledger.place({ ...asked, vcpu: 9 }, 0).ok).toBe(false);
});

test('compute§5.3 whole nodes for a gang are searched too', () => {
  // 8 = 4 + 4 or 8; 6 = 6: the part of 8 must not take the sixes' zone
  const nodes = [
    node('six', 6),
    node('two', 2, { labels: { zone: 'z' } }),
    node('four', 4, { labels: { zone: 'z' } }),
    node('four2', 4, { labels: { zone: 'z' } }),
  ];
  const ledger = createLedger({ seed: 1, nodes });
  const placed = ledger.place({ ...gang({ count: 8 }, { count: 8, selector: zone('z') }), wholeNodes: true }, 0);
  expect(placed.ok && placed.claims.map((claim) => [claim.requestIndex, claim.nodeId]).sort()).toEqual([
    [0, 'six'],
    [0, 'two'],
    [1, 'four'],
    [1, 'four2'],
  ]);
});

test('compute§5.3 a large gang on a large pool is placed, and an impossible one is refused in bounded work', () => {
  const nodes = Array.from({ length: 300 }, (_, n) => node(`n${n}`, 8, { labels: { zone: `z${n % 20}` } }));
  const ledger = createLedger({ seed: 1, nodes });
  const parts = Array.from({ length: 16 }, (_, p) => ({ count: 60, selector: zone(`z${p}`, `z${p + 1}`) }));
  expect(ledger.place(gang(...parts), 0).ok).toBe(true);
  const linked = Array.from({ length: 16 }, (_, p) => ({ count: 8, nvlink: true, selector: zone(`z${p % 2}`) }));
  expect(ledger.place(gang(...linked), 0).ok).toBe(true);
  expect(ledger.everFits(gang(...linked, ...linked.map((part) => ({ ...part, count: 9 }))))).toBe(false);
});
