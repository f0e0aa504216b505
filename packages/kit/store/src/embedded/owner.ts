import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, markOfSelf, type ProcessMark } from './processes.ts';
import type { Server } from './start.ts';

/**
 * Says whether this process has to end the server when it closes: it started it, or the one that did is dead. Written into the data folder, so that
 * a server that outlived `kill -9` of its parent is ended by the next one and not left for ever.
 */
export function becomesOwner(server: Server, wasOwner = false): boolean {
  const path = join(server.dataDir, 'owner.json');
  if (server.adopted) {
    const owner = ownerIn(path);
    if (owner && isAlive(owner)) return wasOwner && owner.pid === process.pid;
  }
  writeFileSync(path, JSON.stringify(markOfSelf()), { mode: 0o600 });
  return true;
}

function ownerIn(path: string): ProcessMark | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessMark;
  } catch {
    return undefined;
  }
}
