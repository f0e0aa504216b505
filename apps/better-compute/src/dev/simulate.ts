import { spawn, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { extname, join } from 'node:path';
import type { Plane } from '../host/plane.ts';
import { DEMO_GROUPS } from './fleet.ts';

/** A TypeScript file in a clone, a JavaScript one in a release; both have this layout. */
const NODE_AGENT = join(import.meta.dirname, '..', '..', 'bin', `node-agent${extname(import.meta.filename)}`);

/**
 * Starts the simulated machines in one child process: they join with a token, keep their keys in the data folder and
 * heartbeat over the same protocol as real agents. They die with this process, however it ends: their standard input does.
 */
export async function startSimulatedNodes(plane: Plane, session: string, dataDir: string): Promise<ChildProcess> {
  const groups = [];
  for (const group of DEMO_GROUPS) {
    const known = await plane.compute.nodeNames(group.poolId);
    const missing = Array.from({ length: group.nodes }, (_, i) => `${group.namePrefix}-${String(i + 1).padStart(2, '0')}`).filter(
      (name) => !known.includes(name),
    );
    const made = missing.length === 0 ? undefined : await plane.compute.client(session).nodeTokens.create({ poolId: group.poolId, uses: missing.length });
    groups.push({ ...group, ...(made ? { joinToken: made.token.secret } : {}) });
  }
  // with the cache known from the first file on, the child never loads what strips types: a third of its start and a quarter of its memory
  const cacheDir = getCompileCacheDir();
  const env = cacheDir === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: join(cacheDir, '..') };
  const child = spawn(process.execPath, [NODE_AGENT, '--url', plane.url, '--state-dir', join(dataDir, 'nodes')], { stdio: ['pipe', 'ignore', 'inherit'], env });
  // a child that failed at once has said why on stderr; writing to it must not end the server
  child.stdin!.on('error', () => {});
  child.stdin!.write(`${JSON.stringify({ groups })}\n`);
  return child;
}
