import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@kit/operation';
import { readWorld } from '../dev/world-file.ts';
import { personSession } from '../dev/session.ts';
import type { Terminal } from './terminal.ts';

/** A signed-in place: where, and with what token. One file a context, mode 600 (iam.md §3.6). */
export interface Context {
  name: string;
  url: string;
  organization: string;
  email: string;
  token: string;
}

const NAME = /^[A-Za-z0-9._@-]{1,120}$/;

const contextsDir = (env: Terminal['env']): string =>
  join(env.BETTER_COMPUTE_CONFIG_HOME ?? join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), '.config'), 'better-compute'), 'contexts');

const fileOf = (env: Terminal['env'], name: string): string => {
  if (!NAME.test(name)) throw new ApiError('INVALID_INPUT', 400, `${name} is not a context name`);
  return join(contextsDir(env), `${name}.json`);
};

export function saveContext(env: Terminal['env'], context: Context): void {
  mkdirSync(contextsDir(env), { recursive: true, mode: 0o700 });
  const file = fileOf(env, context.name);
  writeFileSync(`${file}.new`, JSON.stringify(context, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  writeFileSync(join(contextsDir(env), 'current'), context.name, { mode: 0o600 });
}

export function removeContext(env: Terminal['env'], name: string): void {
  rmSync(fileOf(env, name), { force: true });
}

export function currentContext(env: Terminal['env'], name?: string): Context | undefined {
  const current = join(contextsDir(env), 'current');
  const wanted = name ?? (existsSync(current) ? readFileSync(current, 'utf8').trim() : undefined);
  if (wanted === undefined || wanted === '') return undefined;
  const file = fileOf(env, wanted);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) {
    if (name === undefined) return undefined;
    throw new ApiError('NOT_FOUND', 404, `there is no context ${name}: better-compute login --url URL`);
  }
  if ((stat.mode & 0o077) !== 0) throw new ApiError('INVALID_CONFIG', 0, `${file} can be read by others: chmod 600 ${file}`);
  return JSON.parse(readFileSync(file, 'utf8')) as Context;
}

export interface Connection {
  url: string;
  token: string;
}

export interface ConnectionFlags {
  server?: string;
  token?: string;
  context?: string;
  dataDir?: string;
}

/**
 * Who a command acts as: flags and environment, else a `login`, else the demo person of a `dev` server whose folder
 * is here. The last is a convenience of one's own machine: that folder holds the demo passwords anyway.
 */
export async function connectionOf(terminal: Terminal, flags: ConnectionFlags): Promise<Connection> {
  const url = flags.server ?? terminal.env.BETTER_COMPUTE_URL;
  const token = flags.token ?? terminal.env.BETTER_COMPUTE_TOKEN;
  if (token !== undefined) return { url: url ?? 'http://127.0.0.1:7070', token };
  const context = currentContext(terminal.env, flags.context);
  if (context && (url === undefined || url === context.url)) return { url: context.url, token: context.token };
  const dataDir = join(terminal.cwd, flags.dataDir ?? '.better-compute');
  const world = readWorld(dataDir);
  if (world) return { url: url ?? world.url, token: await personSession(dataDir, world, { url: url ?? world.url }) };
  throw new ApiError('UNAUTHENTICATED', 401, 'not signed in: run `better-compute login --url URL`, or set BETTER_COMPUTE_URL and BETTER_COMPUTE_TOKEN');
}
