import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { isShipped } from '../layers/check.ts';
import { binOf, run } from './command.ts';
import { ReleaseFailure } from './failure.ts';
import { partManifest, programManifest, releasedPath } from './manifest.ts';
import type { Composition, Source } from './source.ts';

/** JavaScript and declarations of every workspace package, at the same relative places under `folder`. */
export function emit(root: string, folder: string): void {
  const args = ['-p', join(root, 'tools', 'release', 'emit.tsconfig.json'), '--outDir', folder];
  run(binOf(root, 'tsc'), args, { cwd: root, env: process.env, purpose: 'the packages do not compile', secondsMax: 300 });
}

const isCode = (path: string): boolean => /\.tsx?$/.test(path);
const stays = (path: string): boolean => isCode(path) || path === 'package.json' || !isShipped(path) || /(^|\/)(node_modules|dist)(\/|$)/.test(path);

/** What modules read beside themselves, such as migrations. Names that begin with a dot are not taken. */
const assetsOf = (folder: string): string[] =>
  globSync('**/*', { cwd: folder, withFileTypes: false, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) })
    .filter((path) => !stays(path) && /[^/]\.[^/]+$/.test(path))
    .sort();

function put(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** One package as it is released: its code, what the code reads, its manifest. */
function place({ folder }: Source, o: { root: string; emitted: string; to: string; manifest: Record<string, unknown> }): void {
  const code = globSync('{src,bin}/**/*.{js,d.ts}', { cwd: join(o.emitted, folder) }).sort();
  if (code.length === 0) throw new ReleaseFailure(`nothing was compiled for ${folder}`);
  for (const path of code) put(join(o.to, releasedPath(path)), readFileSync(join(o.emitted, folder, path)));
  for (const path of assetsOf(join(o.root, folder))) put(join(o.to, releasedPath(path)), readFileSync(join(o.root, folder, path)));
  put(join(o.to, 'package.json'), json(o.manifest));
}

/** The programs name `../src/…`; they are the only ones that look into the sources from outside. */
function placePrograms(to: string): void {
  for (const path of globSync('bin/*', { cwd: to })) {
    const file = join(to, path);
    const text = readFileSync(file, 'utf8').replaceAll("'../src/", "'../dist/");
    if (path.endsWith('.js')) writeFileSync(file, text, { mode: 0o755 });
    else writeFileSync(file, text);
  }
}

/** The folder that becomes the tarball: `better-compute` with the other packages of the workspace inside its node_modules. */
export function stage(root: string, o: { composition: Composition; emitted: string; to: string }): void {
  const { program, parts } = o.composition;
  place(program, { root, emitted: o.emitted, to: o.to, manifest: programManifest(o.composition) });
  placePrograms(o.to);
  for (const part of parts)
    place(part, { root, emitted: o.emitted, to: join(o.to, 'node_modules', part.manifest.name), manifest: partManifest(part, o.composition) });
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs']) cpSync(join(root, name), join(o.to, name), { recursive: true });
}

/**
 * The approvals page, made from the sources as they are now, where `host/console.js` looks for it. With the notices of the
 * libraries that are inside, which the minifier takes out and their licences want kept.
 */
export async function stageConsole(root: string, to: string): Promise<void> {
  const outDir = join(to, 'dist', 'host', 'console');
  const configFile = join(root, 'apps', 'console', 'vite.config.ts');
  await build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: true, license: { fileName: 'licenses.md' } } });
}
