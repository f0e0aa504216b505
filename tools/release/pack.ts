import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, run } from './command.ts';
import { ReleaseFailure } from './failure.ts';

/** Makes the tarball of a staged folder in `to` and answers its file. npm writes no times into it: same sources, same digest. */
export function pack(staged: string, to: string, { version, env }: { version: string; env: Environment }): string {
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', to];
  run('npm', args, { cwd: staged, env, purpose: 'the tarball was not made', secondsMax: 120 });
  const file = join(to, `better-compute-${version}.tgz`);
  if (!existsSync(file)) throw new ReleaseFailure(`npm pack made no better-compute-${version}.tgz`);
  return file;
}

export const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
