import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Claim, createLedger, type NodeShape, type PlacementRequest } from './index.ts';
import { gpu, node } from './testing/pools.ts';

const RUNS = 500;
const NODES: NodeShape[] = [
  node('a', 8, { labels: { zone: 'x' } }),
  node('b', 8, { labels: { zone: 'y' }, vcpu: 20 }),
  ...['r1', 'r2', 'r3'].map((id) => node(id, 4, { memoryGiB: 40 }, { nvlinkDomain: 'rack', model: 'B200', product: 'B200-NVL' })),
  node('u', 4, {}, { nvlinkDomain: null }),
  { ...node('m', 6), gpus: [0, 1, 2, 3, 4, 5].map((i) => gpu('m', i, { nvlinkDomain: i < 2 ? 'm-left' : i < 5 ? 'm-right' : null })) },
];

const part = fc.record({
  count: fc.oneof(fc.constantFrom(1, 1, 2, 4, 8), fc.integer({ min: 0, max: 16 })),
  nvlink: fc.boolean(),
  selector: fc.constantFrom([], [], [{ key: 'zone', op: 'Exists' as const }], [{ key: 'gpu.model', op: 'NotIn' as const, values: ['H100'] }]),
});

const request = fc.record({
  requests: fc.oneof(
    { weight: 4, arbitrary: fc.array(part, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(part, { minLength: 2, maxLength: 4 }) },
  ),
  later: fc.constantFrom(0, 0, 0, 2, 5, 20),
  durationMs: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 30 })),
  vcpu: fc.constantFrom(0, 0, 3, 17, 40),
  memoryGiB: fc.constantFrom(0, 0, 9, 50),
  wholeNodes: fc.constantFrom(false, false, false, true),
  spot: fc.boolean(),
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('place' as const), request }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'extend' as const), which: fc.nat(), by: fc.integer({ min: 1, max: 10 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('drain' as const, 'sicken' as const, 'restore' as const), which: fc.nat(), by: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), by: fc.integer({ min: 1, max: 6 }), prunes: fc.boolean() }) },
);

/** What everyone was promised, kept beside the ledger and checked by itself. */
class Book {
  readonly ledger;
  private readonly seed: number;
  nodes = NODES;
  now = 0;
  live: Claim[] = [];
  private made = 0;

  constructor(seed: number) {
    this.seed = seed;
    this.ledger = createLedger({ seed, nodes: NODES });
  }

  place(asked: PlacementRequest): void {
    const result = this.ledger.placePreempting(asked, this.now);
    expect(result).toEqual(this.foldedAnew().placePreempting(asked, this.now));
    if (!result.ok) return;
    for (const id of result.preempts) this.endReservation(id);
    const reservationId = `r${this.made++}`;
    for (const [i, { requestIndex, nvlinkDomain: _, ...placed }] of result.claims.entries()) {
      const claim = { ...placed, claimId: `${reservationId}.${i}`, reservationId };
      this.ledger.claim(claim);
      this.live.push(claim);
      this.checkPlaced(asked, requestIndex, claim);
    }
    asked.requests.forEach(({ count, nvlink }, p) => {
      const own = result.claims.filter((claim) => claim.requestIndex === p);
      expect(own.flatMap((claim) => claim.gpuUuids).length).toBe(count);
      const domains = new Set(own.flatMap((claim) => claim.gpuUuids.map((uuid) => this.gpu(claim.nodeId, uuid)?.nvlinkDomain)));
      if (nvlink && count > 1) expect([domains.size, domains.has(null)]).toEqual([1, false]);
    });
  }

  endReservation(id: string): void {
    for (const claim of this.live.filter((c) => c.reservationId === id)) {
      this.ledger.end(claim.claimId, this.now);
      claim.to = Math.max(claim.from, Math.min(claim.to, this.now));
    }
    this.live = this.live.filter((claim) => claim.to > claim.from);
  }

  extend(claim: Claim, by: number): void {
    const until = this.ledger.longestExtension([claim.claimId]);
    expect(this.ledger.extend(claim.claimId, claim.to + by)).toBe(claim.to + by <= until);
    if (claim.to + by <= until) claim.to += by;
  }

  wait(by: number, prunes: boolean): void {
    this.now += by;
    if (prunes) this.ledger.prune(this.now);
    this.live = this.live.filter((claim) => claim.to > this.now);
  }

  setNode(changed: NodeShape): void {
    this.nodes = this.nodes.map((n) => (n.nodeId === changed.nodeId ? changed : n));
    this.ledger.setNode(changed);
  }

  /** No GPU twice, no node beyond its host resources, at any moment something starts. */
  check(): void {
    for (const { nodeId, vcpu, memoryGiB } of this.nodes) {
      const here = this.live.filter((claim) => claim.nodeId === nodeId);
      for (const { from } of here) {
        const then = here.filter((claim) => claim.from <= from && claim.to > from);
        const uuids = then.flatMap((claim) => claim.gpuUuids);
        expect(new Set(uuids).size).toBe(uuids.length);
        expect(then.reduce((sum, claim) => sum + claim.vcpu, 0)).toBeLessThanOrEqual(vcpu + 1e-9);
        expect(then.reduce((sum, claim) => sum + claim.memoryGiB, 0)).toBeLessThanOrEqual(memoryGiB + 1e-9);
      }
    }
  }

  private checkPlaced(asked: PlacementRequest, requestIndex: number, claim: Claim): void {
    expect(this.nodes.find((n) => n.nodeId === claim.nodeId)?.schedulable).toBe(true);
    for (const uuid of claim.gpuUuids) {
      expect(this.gpu(claim.nodeId, uuid)?.healthy).toBe(true);
      if (asked.requests[requestIndex]?.selector[0]?.op === 'NotIn') expect(this.gpu(claim.nodeId, uuid)?.model).toBe('B200');
    }
  }

  private gpu(nodeId: string, uuid: string) {
    return this.nodes.find((n) => n.nodeId === nodeId)?.gpus.find((g) => g.uuid === uuid);
  }

  /** A ledger without history: nothing kept from earlier questions may change an answer. */
  private foldedAnew() {
    const ledger = createLedger({ seed: this.seed, nodes: this.nodes });
    for (const claim of this.live) ledger.claim(claim);
    return ledger;
  }
}

test('compute§5.3 random workloads never book a GPU twice, never exceed a host, never break NVLink, and history does not change an answer', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.array(step, { minLength: 5, maxLength: 70 }), (seed, steps) => {
      const book = new Book(seed);
      for (const doing of steps) {
        if (doing.do === 'place') {
          const { later, ...asked } = doing.request;
          if (asked.requests.some((p) => p.count > 0) || !asked.wholeNodes) book.place({ ...asked, startsAt: book.now + later });
        } else if (doing.do === 'wait') book.wait(doing.by, doing.prunes);
        else if (doing.do === 'end' || doing.do === 'extend') {
          const claim = book.live[doing.which % Math.max(1, book.live.length)];
          if (claim && doing.do === 'end') book.endReservation(claim.reservationId ?? '');
          else if (claim) book.extend(claim, doing.by);
        } else {
          const original = NODES[doing.which % NODES.length] as NodeShape;
          const sick = original.gpus.map((g, i) => ({ ...g, healthy: i !== doing.by % original.gpus.length }));
          book.setNode(doing.do === 'drain' ? { ...original, schedulable: false } : doing.do === 'sicken' ? { ...original, gpus: sick } : original);
        }
        book.check();
      }
    }),
    { numRuns: RUNS, seed: 20 },
  );
});
