import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Environment, lastLines } from './command.ts';
import { ReleaseFailure } from './failure.ts';

/** What `dev --json` prints when it is ready. */
export interface Ready {
  url: string;
  agentToken: string;
}

export interface Server {
  ready: Ready;
  /** Sends SIGTERM, waits for the end and answers the exit code; ended by a signal or not at all is a failure. */
  stop(): Promise<number>;
  /** For when something else went wrong; does nothing to a process that has ended. */
  kill(): void;
}

const startSecondsMax = 60;
const stopSecondsMax = 40;

const within = async <T>(promise: Promise<T>, seconds: number, late: () => ReleaseFailure): Promise<T> => {
  const { promise: alarm, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), seconds * 1_000);
  return await Promise.race([promise, alarm]).finally(() => clearTimeout(timer));
};

function readyIn(line: string): Ready | undefined {
  const said = JSON.parse(line) as Partial<Ready> & { ready?: boolean };
  return said.ready === true && said.url !== undefined && said.agentToken !== undefined ? { url: said.url, agentToken: said.agentToken } : undefined;
}

/** Starts the installed program's `dev` and waits until it says that it is ready. */
export async function startDev(program: string, { folder, dataDir, env }: { folder: string; dataDir: string; env: Environment }): Promise<Server> {
  const child = spawn(program, ['dev', '--port', '0', '--json', '--data-dir', dataDir], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const failure = (what: string): ReleaseFailure => new ReleaseFailure([`better-compute dev ${what}`, ...lastLines(said.join(''))].join('\n'));
  const ended = Promise.withResolvers<number>();
  child.once('error', (error) => ended.reject(failure(`cannot be started: ${error.message}`)));
  child.once('close', (code, signal) => (code === null ? ended.reject(failure(`was ended by ${signal}`)) : ended.resolve(code)));
  ended.promise.catch(() => {});
  const ready = Promise.withResolvers<Ready>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(`${line}\n`);
    try {
      const found = readyIn(line);
      if (found) ready.resolve(found);
    } catch {
      ready.reject(failure(`printed something that is no JSON: ${line}`));
    }
  });
  const early = ended.promise.then((code) => Promise.reject(failure(`ended with ${code} before it was ready`)));
  early.catch(() => {});
  const kill = (): void => void (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'));
  try {
    return {
      ready: await within(Promise.race([ready.promise, early]), startSecondsMax, () => failure(`was not ready within ${startSecondsMax} s`)),
      stop: async () => {
        child.kill('SIGTERM');
        return await within(ended.promise, stopSecondsMax, () => failure(`did not stop within ${stopSecondsMax} s of SIGTERM`));
      },
      kill,
    };
  } catch (error) {
    kill();
    throw error;
  }
}
