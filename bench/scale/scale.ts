import type { Compute } from '../../apps/better-compute/src/host/services.ts';
import { besideOf, inPairs, ratePerSecond } from '../callers.ts';
import { joinDeployment, startDeployment } from '../deployment/deployment.ts';
import type { Group } from '../group.ts';
import { creating, requestIn } from '../reservations/create.ts';
import type { Measured } from '../row.ts';
import { STEPS, timesOfLives } from './lives.ts';

/** 100,000 GPUs in one pool, and a pool of a hundredth beside it. */
const NODES = 12_500;
const LARGE = 'pool_large';
const SMALL = 'pool_small';
const PEER = '1,000 GPUs';
const CALLERS = 32;
/** Reservations that stand in the large pool. */
const HELD = 2_000;
const ROUNDS = 7;
const LIVES = 10;

/** 100,000 GPUs through the service, over PostgreSQL: their nodes join, a process starts beside them, reservations live among them (compute.md §12). */
export const scale: Group = {
  name: 'scale',
  async *run() {
    const deployment = await startDeployment({ callers: CALLERS });
    try {
      await deployment.addPool(SMALL, NODES / 100);
      const began = performance.now();
      await deployment.addPool(LARGE, NODES);
      yield { id: 'scale.nodes-joined', value: (1000 * NODES) / (performance.now() - began), unit: '/s' };
      await ratePerSecond(CALLERS, HELD, creating(deployment.compute, deployment.keys, LARGE));
      const plane = await joinDeployment(deployment.database.connectionString);
      try {
        yield* rowsOf(plane.compute.client(deployment.keys[0]!));
      } finally {
        await plane.close();
      }
    } finally {
      await deployment.close();
    }
  },
};

/** Of a process that has seen nothing of the pools yet. */
async function* rowsOf(client: ReturnType<Compute['client']>): AsyncIterable<Measured> {
  const [small, large] = [await firstLookMs(client, SMALL), await firstLookMs(client, LARGE)];
  yield { id: 'scale.pool-snapshot', value: large, unit: 'ms', peer: { name: PEER, value: small } };
  const pairs = await inPairs(
    ROUNDS,
    () => timesOfLives(client, LARGE, LIVES),
    () => timesOfLives(client, SMALL, LIVES),
  );
  for (const step of STEPS) {
    const { value, peer, ratio } = besideOf(pairs.map((pair) => ({ value: pair.value[step], peer: pair.peer[step] })));
    yield { id: `scale.reservations.${step}`, value, unit: 'ms', peer: { name: PEER, value: peer }, ratio };
  }
}

/** The first call about a pool folds its nodes and its ledger into memory. */
async function firstLookMs({ capacity }: ReturnType<Compute['client']>, poolId: string): Promise<number> {
  const began = performance.now();
  await capacity.preview(requestIn(poolId));
  return performance.now() - began;
}
