import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const PROGRAM = join(import.meta.dirname, '..', '..', 'apps', 'better-compute', 'bin', 'better-compute.ts');

export interface DevProcess {
  child: ChildProcess;
  url: string;
  agentToken: string;
  delegationId: string;
  demo: { tenantId: string; slug: string };
  person: { email: string; password: string };
  agent: { key: string };
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'better-compute-test-'));

/** A real `better-compute dev` on a free port, run by this Node or by the one given. */
export async function startDevProcess(
  dataDir: string,
  args: string[] = [],
  env: Record<string, string> = {},
  node: string = process.execPath,
): Promise<DevProcess> {
  const child = spawn(node, [PROGRAM, 'dev', '--json', '--port', '0', '--data-dir', dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const errors: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = await new Promise<Omit<DevProcess, 'child' | 'kill' | 'stop'>>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const said = JSON.parse(line) as { error?: unknown };
      if (said.error) reject(new Error(line));
      else resolve(said as unknown as Omit<DevProcess, 'child' | 'kill' | 'stop'>);
    });
    void exited.then((code) => reject(new Error(`dev ended with ${code}: ${errors.join('\n')}`)));
  });
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return { ...ready, child, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) };
}

/** Ends whatever a killed process left behind, then removes the folder. */
export async function removeFolder(dataDir: string): Promise<void> {
  const { stopEmbedded } = await import('@kit/store');
  await stopEmbedded({ dataDir: join(dataDir, 'postgres') });
  rmSync(dataDir, { recursive: true, force: true });
}
