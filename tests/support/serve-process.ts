import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PROGRAM } from './dev-process.ts';

export interface ServeProcess {
  child: ChildProcess;
  url: string;
  /** Lines of the log, as they came. */
  log: Record<string, unknown>[];
  stop(): Promise<number | null>;
}

export const SECRET = 'a test secret of more than 32 characters';

export const serveEnvironment = (databaseUrl: string): Record<string, string> => ({
  BETTER_COMPUTE_DATABASE_URL: databaseUrl,
  BETTER_COMPUTE_SECRET: SECRET,
  BETTER_COMPUTE_PUBLIC_URL: 'http://127.0.0.1:7070',
  BETTER_COMPUTE_DRAIN_SECONDS: '5',
});

/** A command of the real CLI. */
export function run(
  args: string[],
  o: { env: Record<string, string>; cwd: string; input?: string },
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: 'utf8',
    cwd: o.cwd,
    env: { ...process.env, ...o.env },
    timeout: 240_000,
    ...(o.input === undefined ? {} : { input: o.input }),
  });
}

export async function startServeProcess(args: string[], o: { env: Record<string, string>; cwd: string }): Promise<ServeProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: o.cwd,
    env: { ...process.env, ...o.env },
  });
  const log: Record<string, unknown>[] = [];
  const said: string[] = [];
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      said.push(line);
      const on = / on (http:\/\/\S+)$/.exec(line)?.[1];
      if (on) resolve(on);
      else if (line.startsWith('{')) log.push(JSON.parse(line) as Record<string, unknown>);
    });
    void exited.then((code) => reject(new Error(`serve ended with ${code}: ${said.join('\n')}`)));
  });
  return {
    child,
    url,
    log,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
