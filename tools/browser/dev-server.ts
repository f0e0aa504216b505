import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What `dev --json` prints, as far as a browser and an agent need it. */
export interface DevWorld {
  url: string;
  agentToken: string;
  delegationId: string;
  demo: { tenantId: string; slug: string };
  person: { email: string; password: string; name: string };
  agent: { name: string };
}

export interface DevServer extends DevWorld {
  stop(): Promise<void>;
}

const BIN = join(import.meta.dirname, '..', '..', 'apps', 'better-compute', 'bin', 'better-compute.ts');

/** `better-compute dev` in a process and a folder of its own, on a free port. */
export async function startDevServer(): Promise<DevServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'better-compute-browser-'));
  const child = spawn('node', [BIN, 'dev', '--json', '--port', '0', '--data-dir', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const gone = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await gone;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const world = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => JSON.parse(String(line)) as Partial<DevWorld>),
    gone.then(() => ({}) as Partial<DevWorld>),
  ]);
  if (world.url === undefined) {
    await stop();
    throw new Error(`the server did not start: ${JSON.stringify(world)} ${said.slice(-10).join('\n')}`);
  }
  return { ...(world as DevWorld), stop };
}
