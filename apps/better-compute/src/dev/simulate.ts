import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Plane } from '../host/plane.ts';
import { DEMO_GROUPS } from './fleet.ts';
import type { World } from './world-file.ts';

const TOKEN_SECONDS = 3_600;

/** The node program: the TypeScript file in a clone, the bundled one in a release. */
const binary = (): string => process.argv[1] ?? join(import.meta.dirname, '..', '..', 'bin', 'better-compute.ts');

/**
 * Starts the simulated machines in one child process: they join with a token, keep their keys in the data folder and
 * heartbeat over the same protocol as real agents. They die with this process.
 */
export async function startSimulatedNodes(plane: Plane, world: World, dataDir: string): Promise<ChildProcess> {
  const { token: session } = (await plane.iam.api.auth.signIn({ organization: world.demo.slug, email: world.person.email, password: world.person.password })) as { token: string };
  const groups = [];
  for (const group of DEMO_GROUPS) {
    const known = await plane.compute.nodeNames(group.poolId);
    const missing = Array.from({ length: group.nodes }, (_, i) => `${group.namePrefix}-${String(i + 1).padStart(2, '0')}`).filter((name) => !known.includes(name));
    const token = missing.length === 0 ? undefined : await plane.compute.client(session).nodeTokens.create({ poolId: group.poolId, uses: missing.length, expiresInSeconds: TOKEN_SECONDS });
    groups.push({ ...group, ...(token ? { joinToken: (token as { token: { secret: string } }).token.secret } : {}) });
  }
  const child = spawn(process.execPath, [binary(), 'node', 'simulate', '--spec-from-stdin', '--url', plane.url, '--state-dir', join(dataDir, 'nodes')], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin!.end(JSON.stringify({ groups }));
  return child;
}
