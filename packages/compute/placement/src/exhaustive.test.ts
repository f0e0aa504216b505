import { expect, test } from 'vitest';
import { askOf } from './choice/ask.ts';
import { choose } from './choice/choose.ts';
import { claimsOf } from './choice/claims-of.ts';
import { Pool } from './choice/pool.ts';
import { createLedger, type Ledger, type PlacedClaim } from './index.ts';
import { everyWay, fitsSomehow, isRight, passes, type Served } from './testing/exhaustive.ts';
import { Random } from './testing/random.ts';
import { MINUTE, type SmallCase, smallCase } from './testing/small-case.ts';

const CASES = 51_000;

function ledgerOf({ nodes, claims }: SmallCase, seed: number): Ledger {
  const ledger = createLedger({ seed, nodes });
  for (const claim of claims) ledger.claim(claim);
  return ledger;
}

function servedOf(small: SmallCase, claims: readonly PlacedClaim[]): Served {
  return small.request.requests.map((_, part) =>
    claims
      .filter((claim) => claim.requestIndex === part)
      .flatMap((claim) => (claim.gpuUuids.length > 0 ? claim.gpuUuids.map((uuid) => `${claim.nodeId}/${uuid}`) : [`${claim.nodeId}/`])),
  );
}

/** Everything a placement must keep, seen from outside. */
function expectRight(small: SmallCase, claims: readonly PlacedClaim[]): void {
  const { nodes, request } = small;
  const [from, to] = [request.startsAt, request.startsAt + request.durationMs];
  const during = small.claims.filter((claim) => claim.from < to && claim.to > from);
  const served = servedOf(small, claims);
  const gpus = served.flat().filter((id) => !id.endsWith('/'));
  expect(new Set(gpus).size).toBe(gpus.length);
  for (const claim of claims) {
    const node = nodes.find((n) => n.nodeId === claim.nodeId);
    const part = request.requests[claim.requestIndex];
    expect(node?.schedulable).toBe(true);
    expect([claim.from, claim.to]).toEqual([from, to]);
    for (const uuid of claim.gpuUuids) {
      const gpu = node?.gpus.find((g) => g.uuid === uuid);
      expect(gpu?.healthy).toBe(true);
      expect(node && part && gpu && passes(part, node, gpu)).toBe(true);
      expect(during.some((other) => other.nodeId === claim.nodeId && other.gpuUuids.includes(uuid))).toBe(false);
    }
  }
  request.requests.forEach((part, p) => expect(served[p]?.length).toBe(Math.max(1, part.count)));
  expect(isRight(nodes, during, request, served)).toBe(true);
}

function fewestNodes({ nodes, claims, request }: SmallCase): number {
  let fewest = Infinity;
  everyWay(nodes, claims, request, false, (served) => {
    fewest = Math.min(fewest, new Set(served.flat().map((id) => id.split('/')[0])).size);
    return false;
  });
  return fewest;
}

test('compute§5.3 on pools of up to six GPUs a request is placed exactly when some way exists, on the fewest nodes', () => {
  const seen = { placed: 0, refused: 0 };
  for (let seed = 0; seed < CASES; seed++) {
    const small = smallCase(new Random(seed));
    const pool = new Pool(seed);
    for (const node of small.nodes) pool.fold.setNode(node);
    for (const claim of small.claims) pool.fold.claim(claim);
    // Not through the ledger's place: its refusal would cost ten times the choice that is tried here.
    const ask = askOf(small.request, 0);
    const { picks, isProven } = choose(pool, ask);
    const fits = fitsSomehow(small.nodes, small.claims, small.request);
    if ((picks !== undefined) !== fits || !isProven) expect.fail(`seed ${seed}: placed ${picks !== undefined}, fits ${fits}, proven ${isProven}`);
    seen[fits ? 'placed' : 'refused']++;
    if (!picks) continue;
    const claims = claimsOf(ask, picks);
    expectRight(small, claims);
    if (small.request.requests.length === 1) expect(new Set(claims.map((claim) => claim.nodeId)).size, `seed ${seed}`).toBe(fewestNodes(small));
  }
  expect(Math.min(seen.placed, seen.refused)).toBeGreaterThan(CASES / 5);
});

test('compute§5.4 the earliest start is that of a minute by minute timeline, and never means never', () => {
  for (let seed = 0; seed < 12_000; seed++) {
    const small = smallCase(new Random(seed));
    const result = ledgerOf(small, seed).place(small.request, 0);
    if (result.ok) continue;
    let earliest: number | undefined;
    for (let at = small.request.startsAt + MINUTE; at < 20 * MINUTE && earliest === undefined; at += MINUTE) {
      if (fitsSomehow(small.nodes, small.claims, { ...small.request, startsAt: at })) earliest = at;
    }
    if (result.refusal.earliestStart !== earliest) expect.fail(`seed ${seed}: earliest ${result.refusal.earliestStart}, timeline ${earliest}`);
    const ever = earliest !== undefined || fitsSomehow(small.nodes, small.claims, small.request, true);
    if ((result.refusal.kind === 'NEVER_FITS') === ever) expect.fail(`seed ${seed}: ${result.refusal.kind}, ever ${ever}`);
  }
});
