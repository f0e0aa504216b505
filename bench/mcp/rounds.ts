import { medianOf } from '../callers.ts';
import { callOf, type Era } from './call.ts';
import type { Latencies } from './load.ts';
import type { Generator, ServerProcess } from './processes.ts';

/** One server spoken to in one era. */
export interface Subject {
  server: string;
  era: Era;
  process: ServerProcess;
}

export interface Round extends Latencies {
  cpuMicrosPerCall: number;
}

export const nameOf = ({ server, era }: Pick<Subject, 'server' | 'era'>): string => `${server}.${era}`;

/** Every subject once a round, so that what else the machine does falls on all of them alike. */
export async function measuredInRounds(
  generator: Generator,
  subjects: readonly Subject[],
  o: { rounds: number; connections: number; seconds: number; perSecond?: number },
): Promise<Map<string, Round[]>> {
  const found = new Map<string, Round[]>(subjects.map((subject) => [nameOf(subject), []]));
  for (let round = 0; round < o.rounds; round++) {
    for (const subject of subjects) {
      const { port } = subject.process;
      const bytes = callOf(subject.process, subject.era).toString('latin1');
      const before = await subject.process.cpuMicros();
      const load = { port, bytes, connections: o.connections, seconds: o.seconds };
      const latencies = await generator.run(o.perSecond === undefined ? load : { ...load, perSecond: o.perSecond });
      const used = (await subject.process.cpuMicros()) - before;
      found.get(nameOf(subject))!.push({ ...latencies, cpuMicrosPerCall: used / latencies.calls });
    }
  }
  return found;
}

/** How the two stood to each other in each round; the middle one. */
export const ratioOf = (rounds: readonly Round[], peers: readonly Round[], read: (round: Round) => number): number =>
  medianOf(rounds.map((round, i) => read(round) / read(peers[i]!)));
