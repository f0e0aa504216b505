import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { type Import, importsOfFile } from './imports.ts';
import { mayImport, mayImportInTest, relationOf, ruleOf } from './rules.ts';
import { type Package, readWorkspace, sourcesOf, type Workspace } from './workspace.ts';

const rootFolders = ['tests', 'tools', 'bench', 'conformance'];
const sqlLibraries = new Set(['pg', 'kysely', '@kit/store']);
/** The one root file that a package's tests may reach for: how they say that something outside is missing. */
const sharedWithTests = 'tools/needs.ts';

export const isShipped = (file: string): boolean => !/\.(test|config)\.tsx?$|(^|\/)(testing|test-support)(\/|\.ts$)/.test(file);

/** `@better-compute/client/deep` → `@better-compute/client`, `./deep`. */
function splitSpecifier(specifier: string): { name: string; subpath: string } {
  const parts = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  return { name: parts.slice(0, length).join('/'), subpath: ['.', ...parts.slice(length)].join('/') };
}

interface Source {
  file: string;
  /** The package it lives in; undefined for the root folders. */
  owner: Package | undefined;
  /** False for tests, what they share, and configuration of tools. */
  isShipped: boolean;
}

function relativeProblem({ file, owner, isShipped }: Source, specifier: string, workspace: Workspace): string | undefined {
  const target = posix.join(posix.dirname(file), specifier);
  const home = workspace.packages.find((pkg) => target.startsWith(`${pkg.folder}/`));
  if (owner !== undefined && home === owner) return undefined;
  // a program exports what its users import; the root's tests and tools look inside it
  if (owner === undefined && home?.folder.startsWith('apps/')) return undefined;
  if (home !== undefined) return `reaches into ${home.folder} by path: import ${home.name}`;
  if (owner === undefined || (!isShipped && target === sharedWithTests)) return undefined;
  return `leaves its package: ${target}`;
}

function workspaceProblem({ owner, isShipped }: Source, target: Package, subpath: string): string | undefined {
  if (!target.exports.includes(subpath)) return `${target.name} does not export ${subpath}`;
  if (owner === undefined || owner === target) return undefined;
  if (isShipped ? !mayImport(owner, target) : !mayImportInTest(owner, target)) {
    return `${owner.name} may not know ${target.name} (${relationOf(owner, target)})`;
  }
  return !isShipped || owner.dependencies.has(target.name) ? undefined : `${target.name} is not among the dependencies of ${owner.name}`;
}

function outsideProblem({ owner, isShipped }: Source, name: string, workspace: Workspace): string | undefined {
  if (owner === undefined || !isShipped) {
    const isDeclared = [workspace.rootDependencies, owner?.dependencies, owner?.devDependencies].some((names) => names?.has(name));
    return isDeclared ? undefined : `${name} is not declared`;
  }
  if (ruleOf(owner)?.onlyWorkspace) return `${owner.name} may not depend on ${name}`;
  return owner.dependencies.has(name) ? undefined : `${name} is not among the dependencies of ${owner.name}`;
}

function builtinProblem({ owner, isShipped }: Source, specifier: string): string | undefined {
  const runs = owner !== undefined && isShipped ? ruleOf(owner)?.runs : undefined;
  if (runs === undefined || (runs === 'hashing' && specifier === 'node:crypto')) return undefined;
  return runs === 'hashing' ? `pure code does no I/O: ${specifier}` : `must run without Node: ${specifier}`;
}

function problemOf(source: Source, { specifier, isTypeOnly }: Import, workspace: Workspace): string | undefined {
  if (specifier.startsWith('.')) return relativeProblem(source, specifier, workspace);
  if (isBuiltin(specifier)) return isTypeOnly ? undefined : builtinProblem(source, specifier);
  const { name, subpath } = splitSpecifier(specifier);
  const { owner } = source;
  if (owner !== undefined && source.isShipped && sqlLibraries.has(name) && !ruleOf(owner)?.sql) return `${owner.name} does no SQL: ${name}`;
  const target = workspace.packages.find((pkg) => pkg.name === name);
  return target === undefined ? outsideProblem(source, name, workspace) : workspaceProblem(source, target, subpath);
}

function manifestProblems(pkg: Package, workspace: Workspace): string[] {
  if (ruleOf(pkg) === undefined) return [`no rule for ${pkg.service}/${pkg.role}: give it a row in tools/layers/rules.ts`];
  const targets = workspace.packages.filter((other) => pkg.dependencies.has(other.name));
  const outside = [...pkg.dependencies].filter((name) => targets.every((other) => other.name !== name));
  return [
    ...pkg.exports.filter((subpath) => subpath.includes('*')).map((subpath) => `exports may have no wildcard: ${subpath}`),
    ...targets.filter((other) => !mayImport(pkg, other)).map((other) => `may not depend on ${other.name}`),
    ...(ruleOf(pkg)?.onlyWorkspace ? outside.map((name) => `may not depend on ${name}`) : []),
  ];
}

/** Every break of the layering of a tree, as `file:line what`, in order; none for a sound one. */
export function layerProblems(root: string): string[] {
  const workspace = readWorkspace(root);
  const sources = [
    ...workspace.packages.map((owner) => ({ owner, folder: owner.folder })),
    ...rootFolders.map((folder) => ({ owner: undefined, folder })),
  ].flatMap(({ owner, folder }) => sourcesOf(root, folder).map((file): Source => ({ file, owner, isShipped: isShipped(file) })));
  const inManifests = workspace.packages.flatMap((pkg) => manifestProblems(pkg, workspace).map((problem) => `${pkg.folder}/package.json ${problem}`));
  const inSources = sources.flatMap((source) =>
    importsOfFile(join(root, source.file)).flatMap((imported) => {
      const problem = problemOf(source, imported, workspace);
      return problem === undefined ? [] : [`${source.file}:${imported.line} ${problem}`];
    }),
  );
  return [...inManifests, ...inSources];
}
