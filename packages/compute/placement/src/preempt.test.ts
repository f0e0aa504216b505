import { expect, test } from 'vitest';
import { createLedger } from './index.ts';
import { fitsSomehow } from './testing/exhaustive.ts';
import { ask, claimOf, HOUR, node } from './testing/pools.ts';
import { Random } from './testing/random.ts';
import { smallCase } from './testing/small-case.ts';

test('compute§5.3 spot reservations end together, and only those that make room, the youngest', () => {
  const ledger = createLedger({ seed: 1, nodes: [node('a', 4), node('b', 4)] });
  const spot = (claimId: string, reservationId: string, nodeId: string, gpus: number[], from: number) =>
    ledger.claim(claimOf(claimId, nodeId, gpus, from, 9 * HOUR, { spot: true, reservationId }));
  spot('1', 'old', 'a', [0, 1], 0);
  spot('2', 'young', 'a', [2, 3], HOUR);
  spot('3', 'both', 'b', [0], 0);
  ledger.claim(claimOf('4', 'b', [1, 2, 3], 0, 9 * HOUR));
  expect(ledger.placePreempting(ask(2), 2 * HOUR)).toMatchObject({ ok: true, preempts: ['young'] });
  expect(ledger.placePreempting(ask(6), 2 * HOUR)).toMatchObject({ ok: false });
  expect(ledger.placePreempting(ask(2, {}, { spot: true }), 2 * HOUR)).toMatchObject({ ok: false });
  expect(ledger.place(ask(1), 2 * HOUR).ok).toBe(false);
});

test('compute§5.3 a request gets room by pre-emption exactly when some way exists without spot claims, and every end is needed', () => {
  let preempted = 0;
  for (let seed = 0; seed < 8000; seed++) {
    const { nodes, claims, request } = smallCase(new Random(seed));
    const ledger = createLedger({ seed, nodes });
    for (const claim of claims) ledger.claim(claim);
    const result = ledger.placePreempting(request, 0);
    const without = (ids: readonly string[]) => claims.filter((claim) => !ids.includes(claim.claimId));
    const spot = claims.filter((claim) => claim.spot).map((claim) => claim.claimId);
    if (result.ok !== fitsSomehow(nodes, without(spot), request)) expect.fail(`seed ${seed}: ${result.ok}`);
    if (!result.ok || result.preempts.length === 0) continue;
    preempted++;
    expect(spot).toEqual(expect.arrayContaining(result.preempts));
    for (const spared of result.preempts) {
      if (fitsSomehow(nodes, without(result.preempts.filter((id) => id !== spared)), request)) expect.fail(`seed ${seed}: ${spared} need not end`);
    }
    for (const id of result.preempts) ledger.end(id, request.startsAt);
    result.claims.forEach((claim, i) => ledger.claim({ ...claim, claimId: `new ${i}` }));
  }
  expect(preempted).toBeGreaterThan(50);
});
