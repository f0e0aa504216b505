import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Latencies, Load } from './load.ts';
import type { Served } from './served.ts';

const SERVER_CORE = 0;
const GENERATOR_CORE = 1;

/** Server and generator on cores of their own, where the machine has two and `taskset`. */
function pin(child: ChildProcess, core: number): void {
  if (availableParallelism() < 2 || child.pid === undefined) return;
  try {
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(child.pid)], { stdio: 'ignore' });
  } catch {
    // without taskset the scheduler has to do
  }
}

function started(file: string, args: string[], core: number, isQuiet = false): ChildProcess {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit', 'ipc'], execArgv: [] });
  pin(child, core);
  return child;
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process of the measurement ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

export interface ServerProcess extends Served {
  /** CPU the process has used so far. */
  cpuMicros(): Promise<number>;
  /** Waits until it has cleared up after itself. */
  stop(): Promise<void>;
}

export async function startServer(name: string): Promise<ServerProcess> {
  const child = started('servers/run.ts', [name], SERVER_CORE, true);
  const { served } = await nextMessage<{ served: Served }>(child);
  return {
    ...served,
    async cpuMicros() {
      child.send('cpu');
      return (await nextMessage<{ cpuMicros: number }>(child)).cpuMicros;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

export interface Generator {
  run(load: Load): Promise<Latencies>;
  stop(): void;
}

export function startGenerator(): Generator {
  const child = started('load.ts', [], GENERATOR_CORE);
  return {
    async run(load) {
      child.send(load);
      const answer = await nextMessage<{ latencies?: Latencies; failure?: string }>(child);
      if (!answer.latencies) throw new Error(answer.failure);
      return answer.latencies;
    },
    stop: () => child.disconnect(),
  };
}
