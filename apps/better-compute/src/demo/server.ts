import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { ApiError } from '@kit/operation';

/** What `dev --json` prints when it is ready. */
export interface DevReady {
  url: string;
  agentToken: string;
  demo: { tenantId: string; slug: string };
  person: { email: string; password: string; name: string; identityId: string };
  agent: { identityId: string; name: string; key: string };
  delegationId: string;
}

export interface DemoServer {
  ready: DevReady;
  child: ChildProcess;
  stop(): Promise<void>;
}

const START_MS = 60_000;

const program = (): string => process.argv[1] ?? join(import.meta.dirname, '..', '..', 'bin', 'better-compute.ts');

/** A real server in a process of its own, on a free port: the demo only ever speaks to it over the network. */
export async function startDemoServer(o: { dataDir: string; port?: number; env?: Record<string, string>; error(text: string): void }): Promise<DemoServer> {
  const child = spawn(process.execPath, [program(), 'dev', '--json', '--data-dir', o.dataDir, '--port', String(o.port ?? 0)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...o.env },
  });
  const said: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => said.push(line));
  const ready = await new Promise<DevReady>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new ApiError('UNAVAILABLE', 503, `the server was not ready after ${START_MS / 1000} s: ${said.slice(-5).join(' ')}`)),
      START_MS,
    );
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const message = JSON.parse(line) as { error?: { code: string; message: string } } & DevReady;
      clearTimeout(late);
      if (message.error) reject(new ApiError(message.error.code, 500, message.error.message));
      else resolve(message);
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new ApiError('UNAVAILABLE', 503, `the server ended with ${code}: ${said.slice(-5).join(' ')}`));
    });
  });
  return {
    ready,
    child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      await gone;
    },
  };
}
