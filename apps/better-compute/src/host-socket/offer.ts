import { readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../host/log.ts';
import { answerOn, type HostIam } from './answer.ts';
import { isTakenAway, makeSocketFolder, markOfSelf, marksIn, socketFolder } from './folder.ts';
import { openOnce } from './once.ts';

/** A socket lives so long, used or not (iam.md §5). */
const LIFE_MS = 5 * 60_000;
const OPEN_MAX = 4;
const ASK = /^([A-Za-z0-9_-]{12})\.ask$/;
const LEFT = /^[A-Za-z0-9_-]{12}\.(ask|new|sock)$/;

/** Calls `fn` later; answers the way to stop. */
export type After = (ms: number, fn: () => void) => () => void;

export interface OfferOptions {
  dataDir: string;
  iam: HostIam;
  log: Log;
  now: () => number;
  after: After;
}

export interface HostSocket {
  /** No new ones; those that are asking something are answered first. */
  close(): Promise<void>;
}

/**
 * `serve` for the commands that work on the host alone (iam.md §5, §3.5). A command leaves `NAME.ask` in a folder that only its account gets into; whichever
 * process takes that away opens `NAME.sock` for one connection. Where the folder is not safe there is no socket, and the commands open the database.
 */
export function offerHostSocket(o: OfferOptions): HostSocket {
  try {
    return offerIn(readyFolder(o), o);
  } catch (error) {
    o.log.warn({ fault: (error as Error).message }, 'no local socket: iam bootstrap and iam break-glass open the database');
    return { close: async () => {} };
  }
}

function offerIn(folder: string, o: OfferOptions): HostSocket {
  const open = new Map<string, { end(): void; isWorking: boolean; ended: Promise<void> }>();
  let isClosed = false;

  const look = (): void => {
    if (isClosed) return;
    try {
      for (const name of readdirSync(folder)) {
        const id = ASK.exec(name)?.[1];
        // of several processes, and against a command that has waited enough, one removes it
        if (id !== undefined && open.size < OPEN_MAX && isTakenAway(join(folder, name))) offer(id);
      }
    } catch (error) {
      o.log.warn({ folder, error: (error as Error).message }, 'the folder of the local socket cannot be read');
    }
  };
  const offer = (id: string): void => {
    const once = openOnce({ folder, id, log: o.log, answer: (socket) => answerOn(socket, o, () => (kept.isWorking = true)) });
    const stop = o.after(LIFE_MS, once.end);
    const ended = once.ended.then(() => {
      stop();
      open.delete(id);
      look();
    });
    const kept = { end: once.end, isWorking: false, ended };
    open.set(id, kept);
  };

  const watcher = watch(folder, { persistent: false }, look).on('error', (error) => o.log.warn({ folder, error: error.message }, 'no local socket any more'));
  writeFileSync(markOfSelf(folder), '', { mode: 0o600 });
  look();
  return {
    async close() {
      isClosed = true;
      watcher.close();
      rmSync(markOfSelf(folder), { force: true });
      for (const one of open.values()) if (!one.isWorking) one.end();
      await Promise.all([...open.values()].map((one) => one.ended));
    },
  };
}

/** Made and swept; throws where it cannot be had, or is not safe. */
function readyFolder({ dataDir, now }: OfferOptions): string {
  if (!socketFolder(dataDir)) makeSocketFolder(dataDir);
  const { path, fault } = socketFolder(dataDir)!;
  if (fault !== undefined) throw new Error(fault);
  for (const name of readdirSync(path)) if (LEFT.test(name) && isOld(join(path, name), now())) rmSync(join(path, name), { force: true });
  for (const { name, isAlive } of marksIn(path)) if (!isAlive) rmSync(join(path, name), { force: true });
  return path;
}

/** Left by a process that was killed: no other could still be using it. */
const isOld = (path: string, now: number): boolean => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) < now - LIFE_MS;
