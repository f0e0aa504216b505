import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { importsOfFile } from '../layers/imports.ts';
import { type Composition, declaredBy } from './source.ts';

interface Built {
  name: string;
  exports?: Record<string, string | { types: string; default: string }>;
  bin?: Record<string, string>;
}

/** `@better-iam/mcp/deep` → `@better-iam/mcp`. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** A declaration may name the TypeScript file that its neighbour was; compilers look for the declaration then. */
const isThere = (from: string, specifier: string): boolean => {
  const target = join(dirname(from), specifier);
  return from.endsWith('.d.ts') ? existsSync(target.replace(/\.[jt]s$/, '.d.ts')) || existsSync(target) : existsSync(target);
};

const codeOf = (folder: string): string[] => globSync('{bin,dist}/**/*.{js,d.ts}', { cwd: folder, exclude: ['dist/host/console/**'] }).sort();

function importProblem(file: string, specifier: string, { name: own, declared }: { name: string; declared: ReadonlySet<string> }): string | undefined {
  if (isBuiltin(specifier)) return undefined;
  if (specifier.startsWith('.')) return isThere(file, specifier) ? undefined : `imports ${specifier}, which is not there`;
  const name = packageOf(specifier);
  return name === own || declared.has(name) ? undefined : `imports ${specifier}, which ${own} does not depend on`;
}

/** The packages that the built code of a package names, types included; workspace or not, without Node's own modules. */
export const namedBy = (folder: string): string[] => {
  const specifiers = codeOf(folder).flatMap((path) => importsOfFile(join(folder, path)).map(({ specifier }) => specifier));
  return [...new Set(specifiers.filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier)).map(packageOf))].sort();
};

/**
 * What is wrong with one built package: an import that leads nowhere, an entry that is missing, a test, a name that its package.json
 * in the clone does not declare.
 */
export function packageProblems(folder: string, declared: ReadonlySet<string>): string[] {
  const built = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Built;
  const entries = [
    ...Object.values(built.exports ?? {}).flatMap((entry) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default])),
    ...Object.values(built.bin ?? {}),
  ];
  const missing = entries.filter((entry) => !existsSync(join(folder, entry))).map((entry) => `${built.name}: the entry ${entry} is not there`);
  const code = codeOf(folder);
  const tests = code.filter((path) => /\.test\.|(^|\/)(testing|test-support)[/.]/.test(path)).map((path) => `${built.name}: ${path} is for tests`);
  const imports = code.flatMap((path) =>
    importsOfFile(join(folder, path)).flatMap(({ specifier, line }) => {
      const problem = importProblem(join(folder, path), specifier, { name: built.name, declared });
      return problem === undefined ? [] : [`${built.name}: ${path}:${line} ${problem}`];
    }),
  );
  return [...missing, ...tests, ...imports];
}

/** The same of everything in a staged folder. */
export const problemsOfAll = (staged: string, { program, parts }: Composition): string[] => [
  ...packageProblems(staged, declaredBy(program)),
  ...parts.flatMap((part) => packageProblems(join(staged, 'node_modules', part.manifest.name), declaredBy(part))),
];

/** Files that hold one of the words: a path of this machine, the host its packages come from. */
export function leaks(folder: string, words: readonly string[]): string[] {
  return filesIn(folder).flatMap((path) => {
    const text = readFileSync(join(folder, path), 'latin1');
    return words.filter((word) => text.includes(word)).map((word) => `${path} holds ${word}`);
  });
}

/** Every file under a folder, relative to it; unlike a pattern it leaves out none that begins with a dot. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
