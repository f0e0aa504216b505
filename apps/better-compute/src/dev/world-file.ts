import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Person {
  email: string;
  password: string;
}

export interface AgentSession {
  token: string;
  expiresAt: number;
}

/** What `dev` made at first start. Kept in the data folder, mode 600; it is a demo world's, on loopback only. */
export interface World {
  version: 1;
  url: string;
  platform: { tenantId: string; slug: string; admin: Person };
  demo: { tenantId: string; slug: string };
  /** The person the agent acts for: owner of the demo organization. */
  person: Person & { identityId: string; name: string };
  agent: { identityId: string; name: string; key: string };
  delegationId: string;
  /** The demo person's session in use. */
  session?: string;
  /** The demo agent's session in use. */
  agentSession?: AgentSession;
}

const fileIn = (dataDir: string): string => join(dataDir, 'dev.json');

export function readWorld(dataDir: string): World | undefined {
  const file = fileIn(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as World) : undefined;
}

export function writeWorld(dataDir: string, world: World): void {
  const file = fileIn(dataDir);
  writeFileSync(`${file}.new`, JSON.stringify(world, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
