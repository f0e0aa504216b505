// Makes release/better-compute-X.tgz and a container image, installs and tries both. Nothing is pushed anywhere.
// Usage: npm run release
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run, strangersEnvironment } from './release/command.ts';
import { ReleaseFailure } from './release/failure.ts';
import { buildImage, findBuilder } from './release/image.ts';
import { filesIn, leaks, namedBy, problemsOfAll } from './release/inspect.ts';
import { installGlobally, installLocally } from './release/install.ts';
import { digestOf, pack } from './release/pack.ts';
import { type Composition, compositionOf } from './release/source.ts';
import { emit, stage, stageConsole } from './release/stage.ts';
import { tryConfig, tryDev, tryTypes } from './release/trial.ts';

const root = join(import.meta.dirname, '..');
const env = strangersEnvironment(root, process.env);
const startedAt = performance.now();
const say = (line: string): void => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const refuse = (problems: readonly string[], what: string): void => {
  if (problems.length > 0) throw new ReleaseFailure([`${what}:`, ...problems.slice(0, 30)].join('\n'));
};

/** What the built packages must be, whatever their sources are (architecture.md §2). */
function inspect(staged: string, composition: Composition): void {
  refuse(problemsOfAll(staged, composition), 'the built packages are not sound');
  const strangers = namedBy(join(staged, 'node_modules', '@better-compute/mcp')).filter((name) => name !== '@better-compute/client');
  refuse(strangers, '@better-compute/mcp may name @better-compute/client alone, and names');
  const registry = new URL(run('npm', ['config', 'get', 'registry'], { cwd: staged, env, purpose: 'npm names no registry', secondsMax: 30 }).trim()).host;
  refuse(leaks(staged, [root, staged, registry]), 'something of this machine is in the files');
}

async function build(folder: string, composition: Composition): Promise<{ staged: string; tarball: string }> {
  const staged = join(folder, 'package');
  emit(root, join(folder, 'emitted'));
  say(`compiled ${composition.parts.length + 1} packages`);
  stage(root, { composition, emitted: join(folder, 'emitted'), to: staged });
  await stageConsole(root, staged);
  say('built the console');
  inspect(staged, composition);
  say('the built packages are sound: entries, imports, layers; nothing of this machine in them');
  const tarball = pack(staged, folder, { version: composition.program.manifest.version, env });
  say(`packed ${basename(tarball)}: ${filesIn(staged).length} files, ${(statSync(tarball).size / 1_000).toFixed(0)} kB`);
  return { staged, tarball };
}

async function tryOut(folder: string, { composition, staged, tarball }: { composition: Composition; staged: string; tarball: string }): Promise<void> {
  const { version } = composition.program.manifest;
  const bundled = composition.parts.map(({ manifest }) => manifest.name);
  const local = installLocally({ tarball, staged, bundled, folder: join(folder, 'local'), env });
  say(`npm i ./${basename(tarball)}: installed in an empty folder`);
  tryTypes(root, { folder: join(folder, 'local'), say });
  await tryDev(local, { folder: join(folder, 'local'), version, env, say });
  const everywhere = installGlobally({ tarball, folder: join(folder, 'global'), env });
  say(`npm i -g ./${basename(tarball)}: installed under a prefix of its own`);
  tryConfig(everywhere, { folder: join(folder, 'config'), version, env, say });
}

async function image(tarball: string, version: string): Promise<string> {
  const builder = findBuilder(env);
  if ('whyNot' in builder) return `IMAGE NOT BUILT: ${builder.whyNot}. With one of them: npm run release`;
  return `image ${await buildImage(root, { builder, tarball, version, env, say })}`;
}

async function release(folder: string): Promise<void> {
  const composition = compositionOf(root);
  const { version } = composition.program.manifest;
  const result = join(root, 'release');
  // first, so that a failure leaves no older tarball that looks like this one
  rmSync(result, { recursive: true, force: true });
  const built = await build(folder, composition);
  await tryOut(folder, { composition, ...built });
  mkdirSync(result);
  const tarball = join(result, basename(built.tarball));
  copyFileSync(built.tarball, tarball);
  const about = await image(tarball, version);
  for (const line of ['', `release/${basename(tarball)}`, `SHA-256 ${digestOf(tarball)}`, `install it with: npm i -g ./release/${basename(tarball)}`, about])
    console.log(line);
}

// As root the database runs as another user, who has to be able to walk to its folder.
const folder = mkdtempSync(join(tmpdir(), 'better-compute-release-'));
chmodSync(folder, 0o755);
try {
  await release(folder);
} catch (error) {
  if (!(error instanceof ReleaseFailure)) throw error;
  console.error(`NO RELEASE: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
