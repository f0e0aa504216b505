import { describe, expect, test } from 'vitest';
import { createLedger, DoubleClaim } from './index.ts';
import { ask, claimOf, gpu, HOUR, node } from './testing/pools.ts';

describe('where a request goes', () => {
  test('compute§5.3 where the fewest nodes hold it', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 4), node('b', 8), node('c', 2)] });
    const placed = ledger.place(ask(8), 0);
    expect(placed.ok && placed.claims.map((c) => [c.nodeId, c.gpuUuids.length])).toEqual([['b', 8]]);
  });

  test('compute§5.3 where it costs least future room: beside others rather than into an empty node', () => {
    for (const seed of [1, 2, 3, 4]) {
      const ledger = createLedger({ seed, nodes: [node('a', 8), node('b', 8), node('c', 8)] });
      ledger.claim(claimOf('1', 'b', [0, 1, 2, 3], 0, HOUR));
      const placed = ledger.place(ask(4), 0);
      expect(placed.ok && placed.claims[0]?.nodeId).toBe('b');
    }
  });

  test('compute§5.3 equal nodes are taken in an order that seed and ids alone decide', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => node(id, 8));
    const first = (seed: number, inOrder: typeof nodes) => {
      const placed = createLedger({ seed, nodes: inOrder }).place(ask(1), 0);
      return placed.ok && placed.claims[0]?.nodeId;
    };
    expect(first(7, nodes)).toBe(first(7, nodes.toReversed()));
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => first(seed, nodes))).size).toBeGreaterThan(1);
  });

  test('compute§4 a GPU whose NVLink domain is unknown shares a domain with nothing', () => {
    const unknown = node('a', 4, {}, { nvlinkDomain: null });
    expect(createLedger({ seed: 1, nodes: [unknown] }).place(ask(2, { nvlink: true }), 0).ok).toBe(false);
    expect(createLedger({ seed: 1, nodes: [unknown] }).place(ask(1, { nvlink: true }), 0).ok).toBe(true);
  });

  test('compute§5.1 an NVLink domain may span nodes, and is not left', () => {
    const nodes = [...[1, 2, 3].map((n) => node(`r${n}`, 4, {}, { nvlinkDomain: 'rack' })), node('x', 4), node('y', 4)];
    const ledger = createLedger({ seed: 1, nodes });
    const placed = ledger.place(ask(10, { nvlink: true }), 0);
    expect(placed.ok && placed.claims.map((c) => [c.nodeId[0], c.nvlinkDomain])).toEqual([
      ['r', 'rack'],
      ['r', 'rack'],
      ['r', 'rack'],
    ]);
    expect(ledger.place(ask(13, { nvlink: true }), 0).ok).toBe(false);
    expect(ledger.place(ask(13), 0).ok).toBe(true);
  });

  test('compute§5.1 whole nodes are taken with every GPU, vCPU and GiB, and only when nothing else is on them', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 8), node('b', 4), node('c', 4)] });
    ledger.claim(claimOf('1', 'b', [], 0, HOUR, { vcpu: 1 }));
    const placed = ledger.place(ask(12, {}, { wholeNodes: true }), 0);
    expect(placed.ok && placed.claims.map((c) => [c.nodeId, c.gpuUuids.length, c.vcpu, c.memoryGiB]).sort()).toEqual([
      ['a', 8, 128, 1024],
      ['c', 4, 64, 512],
    ]);
    expect(ledger.place(ask(16, {}, { wholeNodes: true }), 0).ok).toBe(false);
    expect(ledger.place(ask(3, {}, { wholeNodes: true }), 0).ok).toBe(false);
  });

  test('compute§5.3 a calendar claim is placed for then, between what is before and after', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 1)] });
    ledger.claim(claimOf('1', 'a', [0], 0, HOUR));
    ledger.claim(claimOf('2', 'a', [0], 3 * HOUR, 4 * HOUR));
    const placed = ledger.place(ask(1, {}, { startsAt: HOUR, durationMs: 2 * HOUR }), 0);
    expect(placed.ok && placed.claims[0]).toMatchObject({ from: HOUR, to: 3 * HOUR });
    expect(ledger.place(ask(1, {}, { startsAt: HOUR, durationMs: 2 * HOUR + 1 }), 0).ok).toBe(false);
  });

  test('compute§5.3 vCPU and memory go to the nodes with the GPUs, and no node gives more than it has at any moment', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 8, { vcpu: 10, memoryGiB: 100 }), node('b', 8, { vcpu: 10, memoryGiB: 100 })] });
    const placed = ledger.place(ask(8, {}, { vcpu: 16, memoryGiB: 8 }), 0);
    expect(placed.ok && placed.claims.map((c) => [c.gpuUuids.length, c.vcpu, c.memoryGiB])).toEqual([
      [5, 10, 5],
      [3, 6, 3],
    ]);
    ledger.claim(claimOf('1', 'a', [], 0.5 * HOUR, 0.6 * HOUR, { vcpu: 10 }));
    expect(ledger.place(ask(8, {}, { vcpu: 16 }), 0).ok).toBe(false);
    expect(ledger.place(ask(8, {}, { vcpu: 16, durationMs: 0.5 * HOUR }), 0).ok).toBe(true);
  });

  test('compute§5.3 a request without GPUs gets host resources on one node', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 0, { vcpu: 4, memoryGiB: 8 }), node('b', 0, { vcpu: 8, memoryGiB: 16 })] });
    const placed = ledger.place(ask(0, {}, { vcpu: 6, memoryGiB: 8 }), 0);
    expect(placed.ok && placed.claims).toMatchObject([{ nodeId: 'b', gpuUuids: [], vcpu: 6, memoryGiB: 8 }]);
    expect(ledger.place(ask(0, {}, { vcpu: 9 }), 0).ok).toBe(false);
  });
});

describe('what is claimed', () => {
  test('compute§5.3 booking a GPU twice is refused inside the process too', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 2)] });
    ledger.claim(claimOf('1', 'a', [0], 0, HOUR));
    expect(() => ledger.claim(claimOf('2', 'a', [1, 0], HOUR - 1, 2 * HOUR))).toThrow(DoubleClaim);
    expect(() => ledger.claim(claimOf('1', 'a', [1], 0, HOUR))).toThrow(RangeError);
    ledger.claim(claimOf('3', 'a', [0], HOUR, 2 * HOUR));
    expect(ledger.place(ask(2), 0).ok).toBe(false);
  });

  test('compute§5.3 an end frees the GPU from then on, before its start as if it never was', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 1)] });
    ledger.claim(claimOf('1', 'a', [0], HOUR, 5 * HOUR));
    ledger.end('1', 2 * HOUR);
    expect(ledger.place(ask(1, {}, { startsAt: 2 * HOUR }), 0).ok).toBe(true);
    expect(ledger.place(ask(1, {}, { startsAt: HOUR }), 0).ok).toBe(false);
    ledger.end('1', HOUR);
    expect(ledger.place(ask(1, {}, { startsAt: HOUR }), 0).ok).toBe(true);
    ledger.end('1', 0);
  });

  test('compute§5.2 an extension goes as far as the same GPUs and host resources are free', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 2), node('b', 2, { vcpu: 4 })] });
    ledger.claim(claimOf('1', 'a', [0], 0, HOUR));
    ledger.claim(claimOf('2', 'b', [0], 0, HOUR, { vcpu: 3 }));
    ledger.claim(claimOf('3', 'a', [0], 4 * HOUR, 5 * HOUR));
    ledger.claim(claimOf('4', 'b', [1], 3 * HOUR, 5 * HOUR, { vcpu: 2 }));
    expect(ledger.longestExtension(['1'])).toBe(4 * HOUR);
    expect(ledger.longestExtension(['1', '2'])).toBe(3 * HOUR);
    expect(ledger.longestExtension(['4'])).toBe(Infinity);
    expect(ledger.extend('2', 3 * HOUR + 1)).toBe(false);
    expect(ledger.extend('2', 3 * HOUR)).toBe(true);
    expect(ledger.extend('2', 2 * HOUR)).toBe(false);
    expect(() => ledger.longestExtension(['5'])).toThrow(RangeError);
  });

  test('compute§5.3 claims are remembered when their node or GPU is not known, or gone, or comes later', () => {
    const ledger = createLedger({ seed: 1 });
    ledger.claim(claimOf('1', 'a', [0], 0, HOUR));
    ledger.setNode(node('a', 2));
    expect(ledger.place(ask(2), 0).ok).toBe(false);
    ledger.setNode({ ...node('a', 2), gpus: [gpu('a', 1)] });
    ledger.removeNode('a');
    ledger.setNode(node('a', 2));
    expect(() => ledger.claim(claimOf('2', 'a', [0], 0, HOUR))).toThrow(DoubleClaim);
    ledger.prune(HOUR);
    expect(ledger.place(ask(2), 0).ok).toBe(true);
  });

  test('compute§4 nothing new goes to a node that is not ready or a GPU that is not healthy, and what is there stays', () => {
    const ledger = createLedger({ seed: 1, nodes: [node('a', 2)] });
    ledger.claim(claimOf('1', 'a', [0], 0, HOUR));
    ledger.setNode({ ...node('a', 2), schedulable: false });
    expect(ledger.place(ask(1), 0).ok).toBe(false);
    ledger.setNode({ ...node('a', 2), gpus: [gpu('a', 0), gpu('a', 1, { healthy: false })] });
    expect(ledger.place(ask(1), 0).ok).toBe(false);
    expect(ledger.place(ask(1, {}, { startsAt: HOUR }), 0).ok).toBe(true);
    expect(ledger.longestExtension(['1'])).toBe(Infinity);
  });

  test('compute§4 a node takes at most 32 GPUs', () => {
    expect(() => createLedger({ seed: 1, nodes: [node('a', 33)] })).toThrow(RangeError);
    const ledger = createLedger({ seed: 1, nodes: [node('a', 32)] });
    const placed = ledger.place(ask(32, { nvlink: true }), 0);
    expect(placed.ok && placed.claims[0]?.gpuUuids.length).toBe(32);
  });
});

test('compute§5.5 capacity counts by product: all, healthy, reserved, free, the largest free NVLink block, the next 24 hours', () => {
  const h200 = { model: 'H200', product: 'H200-SXM' };
  const ledger = createLedger({
    seed: 1,
    nodes: [node('a', 8), node('b', 8), node('c', 4, { schedulable: false }), node('d', 2, {}, { ...h200, nvlinkDomain: null })],
  });
  ledger.claim(claimOf('1', 'a', [0, 1, 2], 0, 2 * HOUR));
  ledger.claim(claimOf('2', 'b', [0, 1, 2, 3, 4], 5 * HOUR, 6 * HOUR));
  const { products } = ledger.capacity(0);
  expect(products.map((p) => p.product)).toEqual(['H100-SXM5-80GB', 'H200-SXM']);
  expect(products[0]).toMatchObject({ total: 20, healthy: 16, reserved: 3, free: 13, largestFreeNvlinkBlock: 8 });
  expect(products[0]?.next24h).toEqual([
    { from: 0, free: 13 },
    { from: 2 * HOUR, free: 16 },
    { from: 5 * HOUR, free: 11 },
    { from: 6 * HOUR, free: 16 },
  ]);
  expect(products[1]).toMatchObject({ total: 2, free: 2, largestFreeNvlinkBlock: 1 });
});
