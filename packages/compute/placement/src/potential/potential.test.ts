import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShareGroups } from '../share/share-groups.ts';
import { type Demand, SharePool } from '../share/share-pool.ts';
import { Popularity, type Shape } from './popularity.ts';
import { Potential, WEIGHTS } from './potential.ts';
import { shareWaste } from './share-waste.ts';

const KINDS = ['A', 'B'];
const shape = fc.oneof(
  fc.record({ gpus: fc.constantFrom(1, 2, 4, 8), gpuMilli: fc.constant(1000) }),
  fc.record({ gpus: fc.constant(1), gpuMilli: fc.constantFrom(100, 330, 500, 810) }),
  fc.record({ gpus: fc.constant(0), gpuMilli: fc.constant(0) }),
);
const demand: fc.Arbitrary<Demand> = fc
  .record({
    shape,
    cpuMilli: fc.integer({ min: 0, max: 40 }),
    memoryMib: fc.integer({ min: 0, max: 40 }),
    kinds: fc.constantFrom(null, ['A'], ['B'], ['A', 'B']),
  })
  .map(({ shape: of, ...rest }) => ({ ...of, ...rest }));

/** F as the FGD paper defines it, shape by shape: idle GPU that each cannot use, weighted by popularity. */
function fragment(pool: SharePool, n: number, learnt: readonly { shape: Shape; count: number }[]): number {
  const total = learnt.reduce((sum, { count }) => sum + count, 0);
  const rests = Array.from(pool.rest.subarray(n * pool.stride, (n + 1) * pool.stride));
  const idle = rests.reduce((sum, rest) => sum + rest, 0);
  let sum = 0;
  for (const { shape: asked, count } of learnt) {
    const usable = rests.filter((rest) => rest >= asked.gpuMilli);
    const runs = asked.gpus > 0 && usable.length >= asked.gpus && pool.fits(n, asked, pool.allowed(asked));
    sum += (count / total) * (idle - (runs ? usable.reduce((a, b) => a + b, 0) : 0));
  }
  return sum;
}

test('compute§5.3 the potential is the fragmentation of FGD with memory, unfed GPU and expected rests, and a rise is its change', () => {
  const weights = { ...WEIGHTS, byKind: false };
  fc.assert(
    fc.property(fc.array(demand, { minLength: 1, maxLength: 12 }), fc.array(demand, { maxLength: 8 }), demand, (asked, placed, next) => {
      const pool = new SharePool(KINDS.map((kind, k) => ({ cpuMilli: 100, memoryMib: 90, gpus: 4 + 4 * k, kind })));
      for (const task of placed) for (const n of [0, 1]) if (pool.fits(n, task, pool.allowed(task))) pool.take(n, task);
      const popularity = new Popularity();
      for (const task of asked) popularity.learn(task);
      const learnt = popularity.shapes();
      const potential = new Potential(learnt, pool.kinds, weights);
      const total = learnt.reduce((sum, { count }) => sum + count, 0);
      const waste = shareWaste(learnt.map(({ shape: of, count }) => ({ shape: of, popularity: count / total })));
      const phi = (n: number) => {
        const rests = Array.from(pool.rest.subarray(n * pool.stride, (n + 1) * pool.stride));
        const idle = pool.idle[n] as number;
        const cpu = learnt.reduce((sum, { shape: of, count }) => sum + of.cpuMilli * count, 0);
        const gpu = learnt.reduce((sum, { shape: of, count }) => sum + of.gpus * of.gpuMilli * count, 0);
        const unfed = cpu > 0 ? Math.max(0, idle - ((pool.cpu[n] as number) * gpu) / (0.8 * cpu)) : 0;
        return fragment(pool, n, learnt) + weights.unfed * unfed + weights.rests * rests.reduce((sum, rest) => sum + (waste[rest / 10] ?? 0), 0);
      };
      for (const n of [0, 1]) {
        if (!pool.fits(n, next, pool.allowed(next))) continue;
        const best = { gpu: 0 };
        const rise = new ShareGroups(pool, potential).rise(n, next, best);
        const before = phi(n);
        const isShare = next.gpus === 1 && next.gpuMilli < 1000;
        const kept = [pool.rest.slice(), pool.idle.slice(), pool.cpu.slice(), pool.memory.slice()] as const;
        const after = (isShare ? [...Array(pool.stride).keys()].filter((i) => (pool.rest[n * pool.stride + i] as number) >= next.gpuMilli) : [undefined]).map(
          (gpu) => {
            pool.take(n, next, gpu);
            const value = phi(n);
            pool.rest.set(kept[0]);
            pool.idle.set(kept[1]);
            pool.cpu.set(kept[2]);
            pool.memory.set(kept[3]);
            return { gpu, value };
          },
        );
        expect(rise).toBeCloseTo(Math.min(...after.map(({ value }) => value)) - before, 6);
        if (isShare) expect(after.find(({ gpu }) => gpu === best.gpu)?.value).toBeCloseTo(rise + before, 6);
      }
    }),
    { numRuns: 400, seed: 4 },
  );
});

test('compute§5.3 the potential of whole GPUs is that of shares when each GPU is idle or taken', () => {
  const learnt = [
    { shape: { gpus: 1, gpuMilli: 1000, cpuMilli: 10, memoryMib: 5, kinds: null }, count: 3 },
    { shape: { gpus: 4, gpuMilli: 1000, cpuMilli: 60, memoryMib: 20, kinds: ['A'] }, count: 2 },
    { shape: { gpus: 8, gpuMilli: 1000, cpuMilli: 80, memoryMib: 80, kinds: ['B'] }, count: 1 },
  ];
  const pool = new SharePool([
    { cpuMilli: 70, memoryMib: 50, gpus: 8, kind: 'A' },
    { cpuMilli: 90, memoryMib: 90, gpus: 8, kind: 'B' },
  ]);
  const potential = new Potential(learnt, pool.kinds);
  const groups = new ShareGroups(pool, potential);
  const task = { gpus: 4, gpuMilli: 1000, cpuMilli: 20, memoryMib: 10, kinds: null };
  for (const [n, cpu, memory] of [
    [0, 70, 50],
    [1, 90, 90],
  ] as const) {
    const whole = potential.ofWhole(n, 4, cpu - 20, memory - 10) - potential.ofWhole(n, 8, cpu, memory);
    expect(groups.rise(n, task, { gpu: 0 })).toBeCloseTo(whole, 6);
  }
});

test('compute§5.3 what is learnt follows drift and is bounded', () => {
  const popularity = new Popularity();
  const of = (cpuMilli: number): Shape => ({ gpus: 1, gpuMilli: 1000, cpuMilli, memoryMib: 0, kinds: null });
  for (let i = 0; i < 5000; i++) popularity.learn(of(i));
  expect(popularity.shapes().length).toBe(512);
  for (let i = 0; i < 200_000; i++) popularity.learn(of(7));
  expect(popularity.shapes()).toMatchObject([{ shape: { cpuMilli: 7 } }]);
});
