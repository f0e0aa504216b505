import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Package {
  name: string;
  /** Relative to the root, with slashes: `packages/compute/mcp`. */
  folder: string;
  /** Folder = service, package = role: `compute` and `mcp`; an app is a service of its own, with its name as role. */
  service: string;
  role: string;
  /** Subpaths it offers: `.`, `./cli`. */
  exports: string[];
  /** What its users get: dependencies, optional and peer ones. An optional peer it only fits, without importing it (iam.md §8.3). */
  dependencies: Set<string>;
  devDependencies: Set<string>;
}

interface Manifest {
  name: string;
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  devDependencies?: Record<string, string>;
}

function packageAt(root: string, folder: string): Package {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const [kind, first = '', second] = folder.split('/');
  return {
    name: manifest.name,
    folder,
    service: kind === 'apps' ? 'apps' : first,
    role: second ?? first,
    exports: Object.keys(manifest.exports ?? {}),
    dependencies: new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...neededPeers(manifest) })),
    devDependencies: new Set(Object.keys(manifest.devDependencies ?? {})),
  };
}

const neededPeers = ({ peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): Record<string, string> =>
  Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional !== true));

export interface Workspace {
  root: string;
  packages: Package[];
  /** What tests and root folders may use beside workspace packages. */
  rootDependencies: Set<string>;
}

export function readWorkspace(root: string): Workspace {
  const manifests = globSync(['packages/*/*/package.json', 'apps/*/package.json'], { cwd: root }).sort();
  const own = packageAt(root, '.');
  return {
    root,
    packages: manifests.map((path) => packageAt(root, path.slice(0, -'/package.json'.length))),
    rootDependencies: new Set([...own.dependencies, ...own.devDependencies]),
  };
}

const isSource = (path: string): boolean => !/(^|\/)(node_modules|dist)\//.test(path);

/** TypeScript files under a folder, relative to the root. */
export const sourcesOf = (root: string, folder: string): string[] =>
  globSync([`${folder}/**/*.ts`, `${folder}/**/*.tsx`], { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) })
    .filter(isSource)
    .sort();
