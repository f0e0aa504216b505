import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { isAlive, markOfSelf, type ProcessMark } from './processes.ts';

/**
 * Runs `fn` while holding a lock folder beside the data folder. It appears with its owner's mark inside in one rename, and a dead owner's is moved
 * away in one rename as well. Two rescuers may in theory meet a third's fresh lock: PostgreSQL's own lock file then still lets one server start only.
 */
export async function withStartLock<T>(dataDir: string, fn: () => Promise<T>): Promise<T> {
  const lock = `${dataDir}.lock`;
  const until = Date.now() + limits.embedded.lockMs;
  while (!take(lock)) {
    if (Date.now() > until) throw new Error(`${lock} is held by process ${ownerOf(lock)?.pid}, which does not finish starting the database`);
    await sleep(20);
  }
  try {
    return await fn();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(lock: string): boolean {
  const owner = ownerOf(lock);
  if (owner && isAlive(owner)) return false;
  if (owner) moveAway(lock, owner);
  const fresh = mkdtempSync(`${lock}-`);
  writeFileSync(join(fresh, 'owner.json'), JSON.stringify(markOfSelf()));
  try {
    // a folder is not renamed onto one that is not empty
    renameSync(fresh, lock);
    return true;
  } catch {
    rmSync(fresh, { recursive: true, force: true });
    return false;
  }
}

function moveAway(lock: string, dead: ProcessMark): void {
  const aside = mkdtempSync(`${lock}-`);
  const moved = join(aside, 'lock');
  try {
    renameSync(lock, moved);
    // taken by another one in between: give it back
    if (ownerOf(moved)?.pid !== dead.pid) renameSync(moved, lock);
  } catch {
    // another one was quicker
  }
  rmSync(aside, { recursive: true, force: true });
}

function ownerOf(lock: string): ProcessMark | undefined {
  try {
    return JSON.parse(readFileSync(join(lock, 'owner.json'), 'utf8')) as ProcessMark;
  } catch {
    return undefined;
  }
}
