import { expect, test } from 'vitest';
import { askOf } from '../choice/ask.ts';
import { choose } from '../choice/choose.ts';
import { Pool } from '../choice/pool.ts';
import { EARLIEST_WORK_MAX, NETWORK_WORK } from '../limits.ts';
import { createLedger, type NodeShape } from '../index.ts';
import { ask, claimOf, HOUR, node } from '../testing/pools.ts';
import { Random } from '../testing/random.ts';
import { smallCase } from '../testing/small-case.ts';
import { boundsOf } from './capacity-bound.ts';
import { earliestStart } from './earliest.ts';

test('compute§5.4 whatever can be placed is within the bounds, parts alike and parts unlike, alone and together', () => {
  const random = new Random(31);
  const placed = { single: 0, alike: 0, unlike: 0 };
  for (let round = 0; round < 10_000; round++) {
    const { nodes, claims, request } = smallCase(random);
    const pool = new Pool(round);
    for (const one of nodes) pool.fold.setNode(one);
    for (const claim of claims) pool.fold.claim(claim);
    const [first] = request.requests;
    const isAlike = random.chance(50);
    if (isAlike) request.requests = Array.from({ length: random.between(1, 4) }, (_, i) => ({ ...first!, count: Math.max(1, first!.count - (i % 2)) }));
    const asked = askOf(request, request.startsAt);
    if (!choose(pool, asked).picks) continue;
    placed[request.requests.length === 1 ? 'single' : isAlike ? 'alike' : 'unlike']++;
    expect(
      boundsOf(pool, asked).map((bound) => bound.holds),
      `round ${round}`,
    ).not.toContain(false);
  }
  expect(Math.min(...Object.values(placed))).toBeGreaterThan(250);
});

test('compute§5.4 parts alike that have room one by one and not together are not searched for', () => {
  const pool = new Pool(1);
  // three racks of six: two parts of four never share one
  for (let i = 0; i < 9; i++) pool.fold.setNode(node(`n${i}`, 2, {}, { nvlinkDomain: `rack${i % 3}` }));
  const gang = (parts: number, count: number, nvlink = true) =>
    askOf(ask(1, {}, { requests: Array.from({ length: parts }, () => ({ count, nvlink, selector: [] })) }), 0);
  const holds = (...asked: Parameters<typeof gang>) => boundsOf(pool, gang(...asked)).every((bound) => bound.holds);
  expect([holds(3, 4), holds(4, 4), holds(4, 4, false), holds(5, 4, false)]).toEqual([true, false, true, false]);
  expect([holds(6, 3), holds(7, 3), holds(3, 6), holds(1, 7)]).toEqual([true, false, true, false]);
});

/** Nodes of so many GPUs of which each is free an hour after the one before. */
function staggered(nodes: number, gpus: number): NodeShape[] {
  return Array.from({ length: nodes }, (_, i) => node(`n${i}`, gpus));
}
const claimsOf = (nodes: readonly NodeShape[]) =>
  nodes.flatMap(({ nodeId, gpus }, i) => gpus.map((_, g) => claimOf(`${nodeId}/${g}`, nodeId, [g], 0, (1 + gpus.length * i + g) * HOUR)));

test('compute§5.4 what never fits is refused for good, alone and in a gang, however many moments there are to be looked at', () => {
  const nodes = staggered(400, 4);
  const ledger = createLedger({ seed: 1, nodes });
  for (const claim of claimsOf(nodes)) ledger.claim(claim);
  // whole nodes of four never add up to seven
  const part = (count: number) => ({ count, nvlink: false, selector: [] });
  for (const requests of [[part(4), part(7)], [part(7)]]) {
    const placed = ledger.place(ask(1, {}, { requests, wholeNodes: true }), 0);
    expect(placed.ok || placed.refusal).toMatchObject({ kind: 'NEVER_FITS' });
    expect(placed.ok || placed.refusal.notProven).toBeUndefined();
  }
});

test('compute§5.4 the search for the earliest start ends after so much work, and says that it proved nothing', () => {
  const search = (nodes: number) => {
    const pool = new Pool(1);
    for (const shape of staggered(nodes, 2)) pool.fold.setNode(shape);
    for (const claim of claimsOf(staggered(nodes, 2))) pool.fold.claim(claim);
    // nodes of two never add up to three, which only a search sees
    return earliestStart(pool, askOf(ask(3, {}, { wholeNodes: true }), 0));
  };
  expect(400 * 400 * 2 * NETWORK_WORK).toBeGreaterThan(EARLIEST_WORK_MAX);
  expect(search(400)).toEqual({ start: undefined, isProven: false });
  expect(search(40)).toEqual({ start: undefined, isProven: true });
});
