import type { Gpu } from '@better-compute/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf } from '@kit/operation';
import { inventoryOf, PLATFORM, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';
import { Random } from '../testing/random.ts';

const HOUR_MS = 3_600_000;
const PRODUCTS = ['H100-SXM5-80GB', 'A100-SXM4-40GB'];

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());

interface Claim {
  gpu: string;
  from: number;
  to: number;
}

/** What the tables say, without the fold: every GPU with its node's state, every claim that is not over. */
async function tables(poolId: string): Promise<{ gpus: (Gpu & { isUsable: boolean })[]; claims: Claim[] }> {
  const nodes = await plane.database.rows<{ state: string; gpus: Gpu[] }>(
    `select state, inventory -> 'gpus' as gpus from compute.node where pool_id = $1 and state <> 'removed'`,
    [poolId],
  );
  const claims = await plane.database.rows<Claim>(
    'select g.uuid as gpu, lower(c.during) as "from", upper(c.during) as "to" from compute.claim c join compute.gpu g on g.number = c.gpu',
  );
  return { gpus: nodes.flatMap(({ state, gpus }) => gpus.map((gpu) => ({ ...gpu, isUsable: state === 'ready' && gpu.health === 'ok' }))), claims };
}

const freeIn = (claims: readonly Claim[], uuid: string, from: number, to: number): boolean =>
  !claims.some((claim) => claim.gpu === uuid && claim.from < to && from < claim.to);

/** One GPU after the other, one hour after the other. */
function countedBy({ gpus, claims }: Awaited<ReturnType<typeof tables>>, product: string, from: number, hours: number) {
  const own = gpus.filter((gpu) => gpu.product === product);
  const free = (at: number, until: number): number => own.filter((gpu) => gpu.isUsable && freeIn(claims, gpu.uuid, at, until)).length;
  const steps = Array.from({ length: hours }, (_, i) => ({ from: from + i * HOUR_MS, free: free(from + i * HOUR_MS, from + (i + 1) * HOUR_MS) }));
  const blocks = new Map<string, number>();
  for (const gpu of own)
    if (gpu.isUsable && freeIn(claims, gpu.uuid, from, from + 1)) {
      const block = gpu.nvlinkDomain ?? gpu.uuid;
      blocks.set(block, (blocks.get(block) ?? 0) + 1);
    }
  return {
    product,
    total: own.length,
    healthy: own.filter((gpu) => gpu.isUsable).length,
    reserved: own.filter((gpu) => !freeIn(claims, gpu.uuid, from, from + 1)).length,
    free: free(from, from + 1),
    largestFreeNvlinkBlock: Math.max(0, ...blocks.values()),
    steps: steps.filter((step, i) => i === 0 || step.free !== steps[i - 1]!.free),
  };
}

/** Books, extends, gives back and lets time pass, at odd minutes; every no is one. */
async function live(client: TestClient, random: Random, poolId: string): Promise<void> {
  const mine: string[] = [];
  for (let step = 0; step < 40; step++) {
    const id = mine[random.below(mine.length)];
    const dice = random.below(10);
    const startsAt = random.below(2) ? { startsAt: plane.now() + random.below(40 * 60) * 60_000 } : {};
    const part = { class: 'gpu' as const, count: random.between(1, 6), ...(random.below(2) ? { product: PRODUCTS[random.below(2)]! } : {}) };
    const call =
      dice < 6 || id === undefined
        ? client.reservations
            .create({ poolId, requests: [part], duration: `${random.between(10, 900)}m`, ...startsAt })
            .then((r) => mine.push(r.reservation.id))
        : dice < 8
          ? client.reservations.extend({ reservationId: id, by: `${random.between(5, 300)}m` })
          : client.reservations.release({ reservationId: id });
    await Promise.resolve(call).catch((error: unknown) => expect(['NO_CAPACITY', 'NEVER_FITS', 'INVALID_STATE']).toContain(refusalOf(error)?.code));
    if (random.below(4) === 0) {
      await plane.pass(random.below(50) * 60_000);
      await plane.compute.sweep();
    }
  }
}

test.each([1, 2, 3, 4])(
  'compute§5.5 issue2.5 capacity, its next 24 h and the calendar are what the tables say, GPU by GPU and hour by hour (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const poolId = `pool_brute-${seed}`;
    await plane.pool({ id: poolId });
    const nodes = [
      ...(await plane.nodes(2, { poolId, product: PRODUCTS[0]! })),
      ...(await plane.nodes(2, { poolId, product: PRODUCTS[1]!, model: 'A100', gpus: 4 })),
      ...(await plane.nodes(1, { poolId, product: PRODUCTS[0]! })),
    ];
    const client = plane.as({ identityId: `usr_${seed}` });
    await live(client, random, poolId);
    // one node takes no work, another has lost a GPU and knows no domain
    await plane.as({ tenantId: PLATFORM }).nodes.drain({ nodeId: nodes[4]! });
    const hurt = inventoryOf(nodes[1]!);
    hurt.gpus = hurt.gpus.map((gpu, i) => ({ ...gpu, nvlinkDomain: null as never, health: i === 3 ? ('failed' as never) : gpu.health }));
    await plane.compute.nodes.hello({ nodeId: nodes[1]!, incarnation: 1, agentVersion: '1', capabilities: [], inventory: hurt });
    await live(client, random, poolId);

    const truth = await tables(poolId);
    expect(truth.claims.length).toBeGreaterThan(10);
    const { capacity } = await client.capacity.byPool({ poolId });
    const { calendar } = await client.capacity.calendar({ poolId, to: plane.now() + 60 * HOUR_MS });
    expect(capacity.products.map(({ product }) => product)).toEqual([...PRODUCTS].sort());
    for (const [i, { fragmentation, next24h, ...figures }] of capacity.products.entries()) {
      const { steps, ...counted } = countedBy(truth, figures.product, plane.now(), 24);
      expect(figures).toEqual(counted);
      expect(next24h).toEqual(steps);
      expect(fragmentation).toBeGreaterThanOrEqual(0);
      expect(fragmentation).toBeLessThanOrEqual(1);
      expect(calendar.products[i]).toEqual({ product: figures.product, steps: countedBy(truth, figures.product, plane.now(), 60).steps });
    }
    const booked = calendar.reservations.reduce((sum, one) => sum + one.gpus, 0);
    expect(booked).toBe(
      truth.claims.filter((claim) => claim.from < plane.now() + 60 * HOUR_MS && claim.to > plane.now() && truth.gpus.some((gpu) => gpu.uuid === claim.gpu))
        .length,
    );
  },
);
