// The web console is the one part that needs building before it can run; it is built when its sources changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { environment, modules, Refusal, root, say } from './place.mjs';

const app = join(root, 'apps', 'console');
const config = join(app, 'vite.config.ts');
const stampFile = join(app, 'dist', '.sources');

function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** The console and every workspace package bundled into it. */
function sourceFolders() {
  const found = new Set();
  const visit = (folder) => {
    if (found.has(folder)) return;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const [name, range] of Object.entries(dependencies)) if (range === '*') visit(realpathSync(join(modules, name)));
  };
  visit(app);
  return [...found];
}

function digestOfSources() {
  const hash = createHash('sha256').update(readFileSync(join(modules, '.setup-stamp')));
  const files = sourceFolders().flatMap((folder) => [...filesUnder(folder)]);
  for (const file of files.filter((path) => !/\.test\.tsx?$/.test(path)).sort()) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** True when there is no console to build, or what was built came of the sources as they are. */
export function consoleReady() {
  return !existsSync(config) || (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digestOfSources());
}

export function buildConsole() {
  const digest = digestOfSources();
  say('building the console');
  const args = [join(modules, 'vite', 'bin', 'vite.js'), 'build', '--config', config, '--logLevel', 'warn'];
  const { status } = spawnSync('node', args, { cwd: app, env: environment(), stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) throw new Refusal('the console could not be built, see above');
  if (!existsSync(join(app, 'dist'))) throw new Refusal('the console was built, but not into apps/console/dist');
  writeFileSync(stampFile, digest);
}
