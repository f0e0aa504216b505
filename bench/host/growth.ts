import { besideOf, inPairs, meanOf } from '../callers.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { quantile } from '../quantile.ts';
import type { Measured } from '../row.ts';
import { heartbeatsOf } from './heartbeats.ts';
import { UNRELATED, type Unrelated, type UnrelatedCalls, unrelatedCalls } from './unrelated.ts';

/** One size of what grows. */
export interface Size {
  deployment: Deployment;
  /** All that beat. */
  nodeIds: readonly string[];
}

const ROUNDS = 9;
/** Of each call in a round. */
const TIMES = 40;
const PEER = 'a tenth of it';

type Times = Record<Unrelated, number[]>;

/** Latency of unrelated calls with ten times as much, beside it with one time: the mean, which a slow tail moves too. */
export async function* growth(name: string, ten: Size, one: Size): AsyncIterable<Measured> {
  const pairs = await inPairs(ROUNDS, await roundOf(ten), await roundOf(one));
  for (const call of UNRELATED) {
    const { value, peer, ratio } = besideOf(pairs.map((pair) => ({ value: meanOf(pair.value[call]), peer: meanOf(pair.peer[call]) })));
    yield { id: `${name}.${call}`, value, unit: 'ms', peer: { name: PEER, value: peer }, ratio, must: { atMost: 1.5 }, goal: { atMost: 1.1 } };
    const [large, small] = [pairs.flatMap((pair) => pair.value[call]), pairs.flatMap((pair) => pair.peer[call])];
    yield { id: `${name}.${call}.p99`, value: quantile(large, 0.99), unit: 'ms', peer: { name: PEER, value: quantile(small, 0.99) } };
  }
}

/** Its loops and its nodes' heartbeats go in its own rounds only: the other side's must not cost this one anything. */
async function roundOf({ deployment, nodeIds }: Size): Promise<() => Promise<Times>> {
  const calls = await unrelatedCalls(deployment);
  const heartbeats = heartbeatsOf(deployment.compute, nodeIds);
  return async () => {
    await heartbeats.ofAll();
    deployment.compute.start();
    const beating = heartbeats.start();
    try {
      return await timesOf(calls);
    } finally {
      await beating.stop();
      await deployment.compute.stop();
    }
  };
}

/** One call after another, all kinds in turns. */
async function timesOf(calls: UnrelatedCalls): Promise<Times> {
  const times = Object.fromEntries(UNRELATED.map((call) => [call, [] as number[]])) as Times;
  for (let n = 0; n < TIMES; n++) for (const call of UNRELATED) times[call].push(await calls.time(call));
  return times;
}
