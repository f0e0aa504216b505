import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Environment, run } from './command.ts';
import { ReleaseFailure } from './failure.ts';
import { filesIn } from './inspect.ts';

interface Lock {
  packages: Record<string, { inBundle?: boolean; resolved?: string }>;
}

const npmInstall = (args: readonly string[], { folder, env }: { folder: string; env: Environment }): string =>
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...args], {
    cwd: folder,
    env,
    purpose: 'the tarball does not install',
    secondsMax: 600,
  });

/** Every staged file arrived, byte for byte: npm leaves files out of tarballs by rules of its own. */
function checkFiles(staged: string, installed: string): void {
  const changed = filesIn(staged).filter(
    (path) => !existsSync(join(installed, path)) || (path !== 'package.json' && !readFileSync(join(staged, path)).equals(readFileSync(join(installed, path)))),
  );
  if (changed.length > 0) throw new ReleaseFailure(`${changed.length} files did not arrive as they were packed, such as ${changed[0]}`);
}

/** The workspace packages came out of the tarball: a registry may hold strangers' packages of the same names. */
function checkBundle(folder: string, bundled: readonly string[]): void {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;
  const strays = bundled.filter(
    (name) => packages[`node_modules/better-compute/node_modules/${name}`]?.inBundle !== true || packages[`node_modules/${name}`] !== undefined,
  );
  if (strays.length > 0) throw new ReleaseFailure(`npm took ${strays.join(', ')} from elsewhere than the tarball`);
}

/** Installs the tarball in an empty folder as its users do, and answers the program's file. */
export function installLocally(o: { tarball: string; staged: string; bundled: readonly string[]; folder: string; env: Environment }): string {
  mkdirSync(o.folder);
  // without one npm looks for a project in the folders above
  writeFileSync(join(o.folder, 'package.json'), '{ "private": true }\n');
  copyFileSync(o.tarball, join(o.folder, basename(o.tarball)));
  npmInstall([`./${basename(o.tarball)}`], o);
  checkBundle(o.folder, o.bundled);
  checkFiles(o.staged, join(o.folder, 'node_modules', 'better-compute'));
  return join(o.folder, 'node_modules', '.bin', 'better-compute');
}

/** `npm i -g`, with a folder of ours in place of the machine's. */
export function installGlobally(o: { tarball: string; folder: string; env: Environment }): string {
  mkdirSync(o.folder);
  npmInstall(['--global', '--prefix', o.folder, o.tarball], o);
  return join(o.folder, 'bin', 'better-compute');
}
