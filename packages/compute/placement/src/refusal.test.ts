import { expect, test } from 'vitest';
import { changed, createLedger, type PlacementRequest, type Refusal } from './index.ts';
import { fitsSomehow } from './testing/exhaustive.ts';
import { ask, claimOf, HOUR, node } from './testing/pools.ts';
import { Random } from './testing/random.ts';
import { MINUTE, smallCase } from './testing/small-case.ts';

function refusalOf(ledger: ReturnType<typeof createLedger>, request: PlacementRequest): Refusal {
  const result = ledger.place(request, 0);
  if (result.ok) expect.fail('it was placed');
  return result.refusal;
}

test('compute§5.4 a refusal says what removed what, the smallest change, and the earliest start with its hold time', () => {
  const off = node('c', 4, { schedulable: false });
  const ledger = createLedger({
    seed: 1,
    nodes: [node('a', 8), node('b', 8, { labels: { zone: 'b' } }), off, node('d', 8, {}, { model: 'H200', product: 'H200-SXM' })],
  });
  ledger.claim(claimOf('1', 'b', [0, 1], 0, 2 * HOUR));
  ledger.claim(claimOf('2', 'b', [3], 9 * HOUR, 10 * HOUR));
  const refusal = refusalOf(ledger, ask(8, { model: 'H100', selector: [{ key: 'zone', op: 'In', values: ['b'] }] }));
  expect(refusal.kind).toBe('NO_CAPACITY');
  expect(refusal.constraints).toEqual([
    { constraint: 'node not ready', nodesRemoved: 1, gpusRemoved: 4 },
    { constraint: 'model H100', nodesRemoved: 1, gpusRemoved: 8 },
    { constraint: 'selector zone In b', nodesRemoved: 1, gpusRemoved: 8 },
    { constraint: 'claimed in that time', nodesRemoved: 0, gpusRemoved: 2 },
  ]);
  expect(refusal.smallestChange).toMatchObject({ kind: 'without-selector', selectorIndex: 0 });
  expect([refusal.earliestStart, refusal.holdMs]).toEqual([2 * HOUR, 7 * HOUR]);
  expect(refusal.text).toBe(
    'No room for 8 H100 GPUs for 1h at that time. Not usable: 4 GPUs (1 node altogether): node not ready; 8 GPUs (1 node altogether): model H100; ' +
      '8 GPUs (1 node altogether): selector zone In b; 2 GPUs (0 nodes altogether): claimed in that time; 6 GPUs left. ' +
      'It fits without the selector zone In b. As asked it fits from 1970-01-01T02:00:00.000Z.',
  );
});

test('compute§5.4 what no moment would fit is told apart from what waits for a node to come back', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 4), node('b', 4, { schedulable: false })] });
  expect(refusalOf(ledger, ask(8)).kind).toBe('NO_CAPACITY');
  expect(refusalOf(ledger, ask(8)).earliestStart).toBeUndefined();
  const never = refusalOf(ledger, ask(9));
  expect(never.kind).toBe('NEVER_FITS');
  expect(never.smallestChange).toMatchObject({ kind: 'fewer-gpus', count: 4 });
  expect(never.text).toMatch(/^This pool can never hold 9 GPUs at once, even when nothing is claimed\./);
  expect(ledger.everFits(ask(8))).toBe(true);
  expect(ledger.everFits(ask(9))).toBe(false);
});

test('compute§5.4 each kind of change is found where it alone helps', () => {
  const two = [node('a', 4), node('b', 4)];
  const kindOf = (request: PlacementRequest, nodes = two) => refusalOf(createLedger({ seed: 1, nodes }), request).smallestChange;
  expect(kindOf(ask(6, { nvlink: true }))).toMatchObject({ kind: 'no-nvlink' });
  expect(kindOf(ask(2, { product: 'B200' }))).toMatchObject({ kind: 'other-product', product: 'H100-SXM5-80GB' });
  expect(kindOf(ask(8, {}, { vcpu: 130 }))).toMatchObject({ kind: 'less-host', vcpu: 128, memoryGiB: 0 });
  const ledger = createLedger({ seed: 1, nodes: [node('a', 1)] });
  ledger.claim(claimOf('1', 'a', [0], 50 * MINUTE, 9 * HOUR));
  expect(refusalOf(ledger, ask(1)).smallestChange).toMatchObject({ kind: 'shorter', durationMs: 50 * MINUTE, text: '50m instead of 1h' });
});

test('compute§5.4 the smallest change fits when tried, and no smaller one of its kind does', () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 12_000; seed++) {
    const { nodes, claims, request } = smallCase(new Random(seed));
    const ledger = createLedger({ seed, nodes });
    for (const claim of claims) ledger.claim(claim);
    const result = ledger.place(request, 0);
    if (result.ok) continue;
    const fits = (tried: PlacementRequest) => fitsSomehow(nodes, claims, tried);
    const change = result.refusal.smallestChange;
    if (!change) {
      const [part] = request.requests;
      for (let count = 1; request.requests.length === 1 && part && count < part.count; count++) {
        if (fits({ ...request, vcpu: 0, memoryGiB: 0, requests: [{ ...part, count }] }) && fits(changed(request, fewer(request, 0, count))))
          expect.fail(`seed ${seed}: ${count} GPUs fit`);
      }
      continue;
    }
    seen.add(change.kind);
    const tried = changed(request, change);
    if (!fits(tried) || !ledger.place(tried, 0).ok) expect.fail(`seed ${seed}: ${change.text} does not fit`);
    if (change.kind === 'shorter' && fits({ ...request, durationMs: change.durationMs + MINUTE })) expect.fail(`seed ${seed}: a longer time fits`);
    if (change.kind === 'fewer-gpus' && fits(changed(request, fewer(request, change.requestIndex, change.count + 1))))
      expect.fail(`seed ${seed}: more GPUs fit`);
  }
  expect([...seen].sort()).toEqual(['fewer-gpus', 'less-host', 'no-nvlink', 'other-product', 'shorter', 'without-selector']);
});

function fewer(request: PlacementRequest, requestIndex: number, count: number) {
  const total = request.requests.reduce((sum, part) => sum + part.count, 0);
  const share = (total - (request.requests[requestIndex]?.count ?? 0) + count) / total;
  return {
    kind: 'fewer-gpus' as const,
    requestIndex,
    count,
    vcpu: Math.floor(request.vcpu * share),
    memoryGiB: Math.floor(request.memoryGiB * share),
    text: '',
  };
}
