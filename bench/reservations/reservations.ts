import { listen } from '@kit/http';
import { ratePerSecond, type SideBySide, sideBySide } from '../callers.ts';
import { type Deployment, startDeployment } from '../deployment/deployment.ts';
import type { Group } from '../group.ts';
import type { Bound, Measured } from '../row.ts';
import { creating } from './create.ts';
import { five, prepareFive } from './five-statements.ts';
import { startHelper } from './helper.ts';

const CALLERS = 32;
const ROUNDS = 7;
/** Per round; the nodes of a pool hold what a row needs in all. */
const CREATES = 640;
const FIVES = 1280;
/** Before anything is measured: a server is compiled after some thousand calls, five statements at once. */
const WARM_UP = 4 * CREATES;
const NODES = ((ROUNDS + 1) * CREATES * 2) / 8 + 40;

/** `reservations.create`, durable (compute.md §12). */
export const reservations: Group = {
  name: 'reservations',
  async *run(): AsyncIterable<Measured> {
    const deployment = await startDeployment({ callers: CALLERS });
    try {
      await prepareFive(deployment.database, CALLERS);
      const peer = 'five statements';
      yield row('reservations.create', await inProcess(deployment), peer, { atLeast: 0.7 }, { atLeast: 1.5 });
      yield row('reservations.create.http', await overHttp(deployment), peer, { atLeast: 0.35 }, { atLeast: 0.7 });
      yield row('reservations.create.two-processes', await twoProcesses(deployment), 'one process', { atLeast: 0.4 }, { atLeast: 0.8 });
    } finally {
      await deployment.close();
    }
  },
};

const row = (id: string, { value, peer, ratio }: SideBySide, name: string, must: Bound, goal: Bound): Measured => ({
  id,
  value,
  unit: '/s',
  peer: { name, value: peer },
  ratio,
  must,
  goal,
});

const fives = ({ database }: Deployment) => ratePerSecond(CALLERS, FIVES, (caller) => five(database, caller + 1));

async function inProcess(d: Deployment): Promise<SideBySide> {
  await d.addPool('pool_own', NODES / 2 + WARM_UP / 8);
  const create = creating(d.compute, d.keys, 'pool_own');
  await ratePerSecond(CALLERS, WARM_UP, create);
  return await sideBySide(
    ROUNDS,
    () => ratePerSecond(CALLERS, CREATES, create),
    () => fives(d),
  );
}

async function overHttp(d: Deployment): Promise<SideBySide> {
  await d.addPool('pool_http', NODES / 2);
  const server = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => d.compute.handler(request) });
  const generator = await startHelper({ kind: 'generator', url: `http://127.0.0.1:${server.port}`, keys: d.keys, poolId: 'pool_http' });
  try {
    return await sideBySide(
      ROUNDS,
      () => generator.run(CREATES),
      () => fives(d),
    );
  } finally {
    await generator.end();
    await server.drain(1000);
  }
}

/** The same callers, half of them in a second control plane. */
async function twoProcesses(d: Deployment): Promise<SideBySide> {
  await d.addPool('pool_two', NODES);
  const half = CALLERS / 2;
  const alone = creating(d.compute, d.keys, 'pool_two');
  const { connectionString } = d.database;
  const other = await startHelper({ kind: 'plane', connectionString, keys: d.keys.slice(half), poolId: 'pool_two' });
  const both = async (): Promise<number> => {
    const began = performance.now();
    await Promise.all([ratePerSecond(half, CREATES / 2, alone), other.run(CREATES / 2)]);
    return (1000 * CREATES) / (performance.now() - began);
  };
  try {
    return await sideBySide(ROUNDS, both, () => ratePerSecond(CALLERS, CREATES, alone));
  } finally {
    await other.end();
  }
}
