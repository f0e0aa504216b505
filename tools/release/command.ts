import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join, sep } from 'node:path';
import { ReleaseFailure } from './failure.ts';

export type Environment = Record<string, string | undefined>;

/** Set by npm for the scripts of a package, or by this repository for its own programs. */
const ofTheWorkspace = /^(npm_package_|npm_lifecycle_|npm_config_local_prefix$|npm_command$|npm_execpath$|INIT_CWD$|BETTER_COMPUTE_)/;

/**
 * The environment of somebody who has Node 24 and npm and never saw the clone: no `node_modules/.bin` of it on PATH, for a
 * release that only runs beside its sources is none.
 */
export function strangersEnvironment(root: string, env: Environment): Environment {
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== root && !folder.startsWith(root + sep));
  const kept = Object.entries(env).filter(([name]) => !ofTheWorkspace.test(name));
  return { ...Object.fromEntries(kept), PATH: [dirname(process.execPath), ...path].join(delimiter) };
}

interface Command {
  cwd: string;
  env: Environment;
  /** What was to be done, to begin the sentence of a failure with. */
  purpose: string;
  secondsMax: number;
}

/** Runs a program to its end and answers what it printed; anything but exit 0 in time is a failure with its last lines. */
export function run(program: string, args: readonly string[], { cwd, env, purpose, secondsMax }: Command): string {
  const { status, stdout, stderr, error, signal } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: secondsMax * 1_000, maxBuffer: 64 << 20 });
  if (status === 0 && error === undefined) return stdout;
  const why = error?.message ?? (signal === null ? `exit ${status}` : `ended by ${signal}`);
  throw new ReleaseFailure([`${purpose}: ${[program, ...args].join(' ')}: ${why}`, ...lastLines(`${stdout}\n${stderr}`)].join('\n'));
}

export const lastLines = (text: string): string[] => text.split('\n').filter(Boolean).slice(-30);

export const binOf = (root: string, name: string): string => join(root, 'node_modules', '.bin', name);
