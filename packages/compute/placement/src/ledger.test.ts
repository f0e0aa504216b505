import { expect, test } from 'vitest';
import { createLedger, type DeviceRequest, type NodeShape, type PlacementRequest } from './index.ts';

const HOUR = 3_600_000;

function node(nodeId: string, gpus: number, more: Partial<NodeShape> = {}): NodeShape {
  const gpu = (index: number) => ({
    uuid: `${nodeId}-${index}`,
    index,
    model: 'H100',
    product: 'H100-SXM5-80GB',
    memoryGiB: 80,
    nvlinkDomain: nodeId,
    healthy: true,
  });
  return {
    nodeId,
    name: nodeId,
    labels: {},
    schedulable: true,
    gpus: Array.from({ length: gpus }, (_, i) => gpu(i)),
    vcpu: 16 * gpus,
    memoryGiB: 128 * gpus,
    ...more,
  };
}

function ask(count: number, part: Partial<DeviceRequest> = {}, more: Partial<PlacementRequest> = {}): PlacementRequest {
  return { requests: [{ count, nvlink: false, selector: [], ...part }], startsAt: 0, durationMs: HOUR, vcpu: 0, memoryGiB: 0, ...more };
}

test('a request goes where the fewest nodes hold it compute§5.3', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 4), node('b', 8), node('c', 2)] });
  const placed = ledger.place(ask(8), 0);
  expect(placed.ok && placed.claims.map((c) => [c.nodeId, c.gpuUuids.length])).toEqual([['b', 8]]);
});

test('a refusal names what removed what, the smallest change and the earliest start compute§5.4', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 4), node('b', 4)] });
  ledger.claim({ claimId: '1', nodeId: 'a', gpuUuids: ['a-0'], from: 0, to: 2 * HOUR, vcpu: 0, memoryGiB: 0 });
  const placed = ledger.place(ask(8), 0);
  expect(placed.ok).toBe(false);
  if (placed.ok) return;
  expect(placed.refusal.constraints).toEqual([{ constraint: 'claimed in that time', nodesRemoved: 0, gpusRemoved: 1 }]);
  expect(placed.refusal.smallestChange).toMatchObject({ kind: 'fewer-gpus', count: 7 });
  expect(placed.refusal.earliestStart).toBe(2 * HOUR);
});

test('the head of the queue is promised its start, and only what does not delay it goes ahead compute§5.3', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 8)] });
  ledger.claim({ claimId: '1', nodeId: 'a', gpuUuids: ['a-0', 'a-1'], from: 0, to: 2 * HOUR, vcpu: 0, memoryGiB: 0 });
  const wait = (id: string, arrivedAt: number, request: PlacementRequest) => ({ id, priority: 0, arrivedAt, request });
  const plan = ledger.planQueue(
    [wait('long', 2, ask(1, {}, { durationMs: 3 * HOUR })), wait('head', 1, ask(8)), wait('short', 3, ask(1)), wait('huge', 4, ask(9))],
    HOUR / 2,
  );
  expect(plan.held.map((h) => [h.id, h.startsAt])).toEqual([
    ['head', 2 * HOUR],
    ['long', 3 * HOUR],
  ]);
  expect(plan.starts.map((s) => s.id)).toEqual(['short']);
  expect(plan.neverFit).toEqual(['huge']);
  expect(ledger.longestExtension(['1'])).toBe(Infinity);
  expect(ledger.longestExtension(['1'], plan.held[0]?.claims)).toBe(2 * HOUR);
});
