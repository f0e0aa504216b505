import { expect, test } from 'vitest';
import { createLedger, type PlacementRequest, type Waiting } from './index.ts';
import { ask, claimOf, HOUR, node } from './testing/pools.ts';
import { Random } from './testing/random.ts';

const wait = (id: string, arrivedAt: number, request: PlacementRequest, priority = 0): Waiting => ({ id, priority, arrivedAt, request });

test('compute§5.3 the head of the queue is promised its start, and only what does not delay it goes ahead', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 8)] });
  ledger.claim(claimOf('1', 'a', [0, 1], 0, 2 * HOUR));
  const long = wait('long', 2, ask(1, {}, { durationMs: 3 * HOUR }));
  const plan = ledger.planQueue([long, wait('head', 1, ask(8)), wait('short', 3, ask(1)), wait('huge', 4, ask(9))], HOUR / 2);
  expect(plan.held.map((h) => [h.id, h.startsAt])).toEqual([
    ['head', 2 * HOUR],
    ['long', 3 * HOUR],
  ]);
  expect(plan.starts.map((s) => s.id)).toEqual(['short']);
  expect(plan.waiting).toEqual(['head', 'long']);
  expect(plan.neverFit).toEqual(['huge']);
  expect(ledger.longestExtension(['1'])).toBe(Infinity);
  expect(ledger.longestExtension(['1'], plan.held[0]?.claims)).toBe(2 * HOUR);
  expect(ledger.place(ask(6), HOUR / 2).ok).toBe(true);
});

test('compute§5.3 priority goes before arrival', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 1)] });
  const plan = ledger.planQueue([wait('first', 1, ask(1)), wait('urgent', 2, ask(1), 1)], 0);
  expect(plan.starts.map((s) => s.id)).toEqual(['urgent']);
  expect(plan.held.map((h) => h.id)).toEqual(['first']);
});

/** A lease pool where small requests keep coming and running ones ask for more time whenever they may. */
test('compute§5.3 nothing starves: a promised start never moves later, and everyone starts', () => {
  for (let seed = 0; seed < 6; seed++) {
    const random = new Random(seed);
    const ledger = createLedger({ seed, nodes: [node('a', 4), node('b', 4), node('c', 2)] });
    let waiting: Waiting[] = [];
    const promised = new Map<string, number>();
    const running = new Map<string, number>();
    let started = 0;
    for (let now = 0; now < 300 || waiting.length > 0; now++) {
      expect(now).toBeLessThan(2000);
      if (now < 300 && random.chance(60))
        waiting.push(wait(`w${now}`, now, ask(random.one([1, 1, 1, 2, 4, 8, 10]), { nvlink: random.chance(20) }, { durationMs: random.between(1, 12) })));
      waiting = waiting.filter(({ request: { requests } }) => !(requests[0]?.nvlink && requests[0].count > 4));
      const plan = ledger.planQueue(waiting, now);
      const kept = plan.held.flatMap((held) => held.claims);
      for (const [claimId, to] of running) {
        if (to > now && random.chance(30)) {
          const until = Math.min(to + random.between(1, 5), ledger.longestExtension([claimId], kept));
          if (until > to && !plan.starts.length) expect(ledger.extend(claimId, until)).toBe(true);
          running.set(claimId, plan.starts.length ? to : Math.max(to, until));
        }
      }
      for (const { id, claims } of plan.starts) {
        expect(now).toBeLessThanOrEqual(promised.get(id) ?? Infinity);
        claims.forEach((claim, i) => {
          ledger.claim({ ...claim, claimId: `${id}.${i}` });
          running.set(`${id}.${i}`, claim.to);
        });
        started++;
      }
      const [head] = plan.held;
      if (head) {
        expect(head.startsAt).toBeLessThanOrEqual(promised.get(head.id) ?? Infinity);
        promised.set(head.id, head.startsAt);
      }
      waiting = waiting.filter(({ id }) => !plan.starts.some((start) => start.id === id));
      ledger.prune(now);
    }
    expect(started).toBeGreaterThan(50);
  }
});
