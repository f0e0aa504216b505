import { lstatSync, mkdirSync, readdirSync, realpathSync, type Stats, unlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Longest path of a socket that every system takes, in bytes. */
const PATH_MAX = 103;
const LONGEST_NAME = '/0123456789ab.sock';

/** Where commands of the host find a running `serve`: a folder of mode 700, so that only the same account (and root) gets in. */
export type SocketFolder = { path: string; fault?: never } | { path: string; fault: string };

/** Makes it where it is missing; throws where it cannot. */
export function makeSocketFolder(dataDir: string): void {
  mkdirSync(resolve(dataDir), { recursive: true });
  // never through a link, and never with the rights that somebody else has left there
  try {
    mkdirSync(join(realpathSync(dataDir), 'host'), { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Undefined where there is none. A fault is a reason not to use it: whoever else can write above it could put another one in its place. */
export function socketFolder(dataDir: string): SocketFolder | undefined {
  const base = resolve(dataDir);
  const above = lstatSync(base, { throwIfNoEntry: false }) && realpathSync(base);
  const path = join(above ?? base, 'host');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const fault = faultOf(path, stat);
  return fault === undefined ? { path } : { path, fault };
}

function faultOf(path: string, stat: Stats): string | undefined {
  const self = process.getuid?.();
  if (self === undefined) return 'this system has no such sockets';
  if (!stat.isDirectory()) return `${path} is no folder`;
  if (stat.uid !== self) return `${path} belongs to another account (uid ${stat.uid}): be that account`;
  if ((stat.mode & 0o077) !== 0) return `${path} is open to other accounts: chmod 700 ${path}`;
  if (Buffer.byteLength(path + LONGEST_NAME) > PATH_MAX) return `${path} is too long a path for a socket`;
  for (let above = dirname(path); ; above = dirname(above)) {
    const { uid, mode } = lstatSync(above);
    const isOpen = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
    if ((uid !== self && uid !== 0) || isOpen) return `${above} can be changed by other accounts: it needs to be yours or root's, without write for others`;
    if (above === dirname(above)) return undefined;
  }
}

const MARK = /^(\d+)\.serve$/;

/** Says that this process looks into the folder. */
export const markOfSelf = (folder: string): string => join(folder, `${process.pid}.serve`);

/** Names of marks, with whether the process is there: one that got a dead one's number only costs a wait. */
export const marksIn = (folder: string): { name: string; isAlive: boolean }[] =>
  readdirSync(folder).flatMap((name) => {
    const pid = MARK.exec(name)?.[1];
    return pid === undefined ? [] : [{ name, isAlive: isAlive(Number(pid)) }];
  });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Of all who try, one is told true. */
export function isTakenAway(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
