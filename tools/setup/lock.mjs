// One setup at a time: `npm ci` deletes the tree that another run may just be starting from.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say, sleep } from './place.mjs';

const STALE_MS = 600_000;
const POLL_MS = 300;

const holderOf = (lock) => {
  try {
    return Number(readFileSync(join(lock, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** A killed holder is known by its dead pid, or by age where the pid tells nothing (another container, a reused number). */
const isStale = (pid, stat) => (pid !== undefined && !isAlive(pid)) || Date.now() - stat.mtimeMs > STALE_MS;

/** Renaming lets only one of two waiters take a stale lock; the look inside catches one that was renewed in between. */
function takeAway(lock, pid) {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (holderOf(aside) !== pid) renameSync(aside, lock);
  } catch {
    // another waiter was quicker
  }
  rmSync(aside, { recursive: true, force: true });
}

function acquire(lock) {
  let isTold = false;
  for (;;) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw new Refusal(`this folder cannot be written to (${error.code}): set it up as its owner`);
    }
    const stat = statSync(lock, { throwIfNoEntry: false });
    const pid = holderOf(lock);
    if (stat === undefined) continue;
    if (isStale(pid, stat)) takeAway(lock, pid);
    else {
      if (!isTold) say(`another setup is running in this folder (process ${pid ?? 'unknown'}), waiting for it`);
      isTold = true;
      sleep(POLL_MS);
    }
  }
}

/** Runs `work` as the only setup of this clone; the lock goes on every way out, Ctrl-C included. */
export function withLock(lock, work) {
  acquire(lock);
  const release = () => rmSync(lock, { recursive: true, force: true });
  const interrupted = () => process.exit(130);
  process.on('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupted);
  try {
    return work();
  } finally {
    release();
    process.off('exit', release);
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
  }
}
