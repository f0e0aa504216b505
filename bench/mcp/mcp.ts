import { medianOf } from '../callers.ts';
import type { Group } from '../group.ts';
import type { Measured } from '../row.ts';
import type { Era } from './call.ts';
import { type Generator, type ServerProcess, startGenerator, startServer } from './processes.ts';
import { measuredInRounds, nameOf, ratioOf, type Round, type Subject } from './rounds.ts';

const SERVERS = ['bare', 'sdk-v1', 'sdk-v2', 'transport', 'product'];
const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];
const CONNECTIONS = 8;

/**
 * `tools/call` of a read tool, gated and access-logged, beside bare node:http writing the same JSON and the official SDK's stateless servers with an empty
 * tool and no gate (compute.md §12). `transport` is all of ours over an IAM and a compute that answer at once: what is compared is the server, as the peers
 * have neither. `product` is the whole product over PostgreSQL, so it shows what the decision and the read behind it add.
 */
export const mcp: Group = {
  name: 'mcp',
  async *run() {
    const generator = startGenerator();
    const processes: ServerProcess[] = [];
    try {
      const subjects: Subject[] = [];
      for (const server of SERVERS) {
        const process = await startServer(server);
        processes.push(process);
        for (const era of ERAS) if (server !== 'sdk-v1' || era === '2025-11-25') subjects.push({ server, era, process });
      }
      yield* rowsOf(generator, subjects);
    } finally {
      generator.stop();
      for (const process of processes) await process.stop();
    }
  },
};

async function* rowsOf(generator: Generator, subjects: readonly Subject[]): AsyncIterable<Measured> {
  await measuredInRounds(generator, subjects, { rounds: 2, connections: CONNECTIONS, seconds: 1 });
  const closed = await measuredInRounds(generator, subjects, { rounds: 11, connections: CONNECTIONS, seconds: 0.5 });
  for (const era of ERAS) yield* ratesOf(closed, era);
  for (const [name, rounds] of closed) yield { id: `mcp.cpu.${name}`, value: medianOf(rounds.map((r) => r.cpuMicrosPerCall)), unit: 'µs/call' };
  for (const [name, rounds] of closed) {
    yield { id: `mcp.closed.${name}.rate`, value: medianOf(rounds.map((round) => round.perSecond)), unit: '/s' };
    yield* latenciesOf(`mcp.closed.${name}`, rounds);
  }
  // one pace for all, at which none of them falls behind
  const pace = Math.floor(0.4 * Math.min(...[...closed.values()].map((rounds) => medianOf(rounds.map((r) => r.perSecond)))));
  const open = await measuredInRounds(generator, subjects, { rounds: 3, connections: 64, seconds: 1.5, perSecond: pace });
  yield { id: 'mcp.open.pace', value: pace, unit: '/s' };
  for (const [name, rounds] of open) yield* latenciesOf(`mcp.open.${name}`, rounds);
}

/** Calls a second of the server's own CPU, which is its rate on a core of its own and changes little with what else the machine does. */
function* ratesOf(closed: ReadonlyMap<string, Round[]>, era: Era): Iterable<Measured> {
  const perCpuSecond = (round: Round) => 1e6 / round.cpuMicrosPerCall;
  const of = (server: string) => closed.get(nameOf({ server, era }));
  const beside = (server: string, peer: string, bounds: Pick<Measured, 'must' | 'goal'>): Measured => {
    const ratio = ratioOf(of(server)!, of(peer)!, perCpuSecond);
    const value = medianOf(of(server)!.map(perCpuSecond));
    return { id: `mcp.call.${server}.${era}.over-${peer}`, value, unit: '/cpu-s', peer: { name: peer, value: value / ratio }, judged: ratio, ...bounds };
  };
  for (const sdk of ['sdk-v1', 'sdk-v2']) if (of(sdk)) yield beside('transport', sdk, { must: { atLeast: 2 } });
  yield beside('transport', 'bare', { goal: { atLeast: 0.4 } });
  for (const sdk of ['sdk-v1', 'sdk-v2']) if (of(sdk)) yield beside('product', sdk, { goal: { atLeast: 2 } });
  yield beside('product', 'bare', { goal: { atLeast: 0.4 } });
}

function* latenciesOf(id: string, rounds: readonly Round[]): Iterable<Measured> {
  yield { id: `${id}.p50`, value: medianOf(rounds.map((round) => round.p50Ms)), unit: 'ms' };
  yield { id: `${id}.p99`, value: medianOf(rounds.map((round) => round.p99Ms)), unit: 'ms' };
}
