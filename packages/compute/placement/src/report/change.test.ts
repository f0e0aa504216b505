import { expect, test } from 'vitest';
import { askOf } from '../choice/ask.ts';
import { choose } from '../choice/choose.ts';
import { Pool } from '../choice/pool.ts';
import type { PlacementRequest, Selector } from '../index.ts';
import { ask, claimOf, HOUR, node } from '../testing/pools.ts';
import { Random } from '../testing/random.ts';
import { changed, smallestChange } from './change.ts';

/** Many products, labels and ends of claims: each a change that a report could try. */
function crowded(random: Random, nodes: number): Pool {
  const pool = new Pool(random.below(1_000));
  for (let i = 0; i < nodes; i++) {
    const kind = random.below(60);
    const labels = { zone: `z${random.below(5)}`, rack: `r${random.below(9)}` };
    pool.fold.setNode(node(`n${i}`, 8, { labels }, { model: `M${kind % 9}`, product: `P${kind}`, nvlinkDomain: random.chance(30) ? 'shared' : `n${i}` }));
    const from = random.below(50);
    pool.fold.claim(claimOf(`c${i}`, `n${i}`, [0, 1, 2, 3, 4, 5].slice(random.below(6)), from * 60_000, from * 60_000 + random.between(1, 900) * HOUR));
  }
  return pool;
}

/** What an attacker would ask: as many parts, selectors and halvings as one request may have. */
function hostile(random: Random): PlacementRequest {
  const parts = random.one([1, 1, 2, 5, 16]);
  const selector = (): Selector => ({
    key: random.one(['zone', 'rack', 'none']),
    op: random.one(['NotIn', 'In', 'Exists']),
    values: [`z${random.below(5)}`, `r${random.below(9)}`],
  });
  return ask(
    1,
    {},
    {
      requests: Array.from({ length: parts }, () => ({
        count: Math.floor(64 / parts),
        nvlink: random.chance(70),
        selector: Array.from({ length: Math.floor(Math.min(32, 64 / parts)) }, selector),
        ...(random.chance(50) ? { model: `M${random.below(10)}` } : {}),
      })),
      durationMs: random.one([1, 100, 8_000]) * HOUR,
      vcpu: random.one([0, 4_096]),
      memoryGiB: random.one([0, 65_536]),
      wholeNodes: random.chance(25),
    },
  );
}

test('compute§5.4 whatever is refused, a report tries a bounded number of changes, and the one it names fits', () => {
  const random = new Random(7);
  let refused = 0;
  let most = 0;
  for (let round = 0; round < 6; round++) {
    const pool = crowded(random, 60);
    for (let i = 0; i < 25; i++) {
      const request = hostile(random);
      const asked = askOf(request, 0);
      if (choose(pool, asked).picks) continue;
      refused++;
      const { change, tries } = smallestChange(pool, request, asked);
      // four kinds of change, of which a single request tries at most 64 each, a gang that many among its parts
      expect(tries).toBeLessThanOrEqual(4 * Math.max(4, Math.floor(64 / request.requests.length)));
      most = Math.max(most, tries);
      if (change) expect(choose(pool, askOf(changed(request, change), 0)).picks).toBeDefined();
    }
  }
  expect(refused).toBeGreaterThan(50);
  // some of them would have tried more
  expect(most).toBeGreaterThan(64);
});

test('compute§5.4 an ordinary refusal is far from the bound', () => {
  const pool = new Pool(1);
  for (let i = 0; i < 40; i++) pool.fold.setNode(node(`n${i}`, 8, {}, { product: `P${i % 6}` }));
  for (let i = 0; i < 40; i++) pool.fold.claim(claimOf(`c${i}`, `n${i}`, [0, 1], 0, (i + 1) * HOUR));
  const request = ask(8, { model: 'H100', nvlink: true, selector: [{ key: 'zone', op: 'Exists' }] }, { durationMs: 50 * HOUR, vcpu: 128, memoryGiB: 1_024 });
  expect(smallestChange(pool, request, askOf(request, 0)).tries).toBeLessThan(64);
});
