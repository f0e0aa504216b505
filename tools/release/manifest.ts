import { isShipped } from '../layers/check.ts';
import { ReleaseFailure } from './failure.ts';
import { type Composition, consoleName, type Manifest, type Source } from './source.ts';

/** Where a file of a package is in the release: `src/a.ts` → `dist/a.ts`. Same depth, so paths relative to a module stay right. */
export const releasedPath = (path: string): string => path.replace(/^(\.\/)?src\//, '$1dist/');

const asScript = (path: string): string => releasedPath(path).replace(/\.ts$/, '.js');

/** Exports of TypeScript become exports of what was made of it; those of tests go. */
function releasedExports(exports: Manifest['exports']): Record<string, string | { types: string; default: string }> {
  const kept = Object.entries(exports).filter(([, target]) => isShipped(target));
  return Object.fromEntries(
    kept.map(([subpath, target]) => [
      subpath,
      target.endsWith('.ts') ? { types: releasedPath(target).replace(/\.ts$/, '.d.ts'), default: asScript(target) } : target,
    ]),
  );
}

const isExact = (version: string): boolean => /^\d+\.\d+\.\d+[\w.-]*$/.test(version);

/** A package's dependencies with the workspace's `*` made the very version that travels along. */
function pinned({ manifest }: Source, parts: readonly Source[]): Record<string, string> {
  const versions = new Map(parts.map((part) => [part.manifest.name, part.manifest.version]));
  return Object.fromEntries(
    Object.entries(manifest.dependencies ?? {})
      .filter(([name]) => name !== consoleName)
      .map(([name, range]) => {
        const version = versions.get(name) ?? range;
        if (!isExact(version)) throw new ReleaseFailure(`${manifest.name} wants ${name} at ${range}: a release pins exact versions`);
        return [name, version];
      }),
  );
}

function released({ manifest }: Source, dependencies: Record<string, string>): Record<string, unknown> {
  const { name, version, license, description, engines, exports } = manifest;
  return {
    name,
    version,
    ...(description === undefined ? {} : { description }),
    private: true,
    license,
    type: 'module',
    ...(engines === undefined ? {} : { engines }),
    exports: releasedExports(exports),
    dependencies,
  };
}

/**
 * The package.json of a workspace package inside the release. What it needs from elsewhere is said by the program alone: npm
 * takes a library for bundled when a bundled package depends on it and it lands beside that one, as with `npm i -g`, and then
 * leaves its folder empty (seen with npm 11.19).
 */
export function partManifest(part: Source, { parts }: Composition): Record<string, unknown> {
  const own = new Set(parts.map(({ manifest }) => manifest.name));
  return released(part, Object.fromEntries(Object.entries(pinned(part, parts)).filter(([name]) => own.has(name))));
}

/** All that has to come from elsewhere, each at one version: two would be two registries of the same schemas. */
function fromElsewhere(sources: readonly Source[], parts: readonly Source[]): Record<string, string> {
  const own = new Set(parts.map(({ manifest }) => manifest.name));
  const union = new Map<string, string>();
  for (const source of sources)
    for (const [name, version] of Object.entries(pinned(source, parts))) {
      if (own.has(name)) continue;
      const other = union.get(name);
      if (other !== undefined && other !== version) throw new ReleaseFailure(`${source.manifest.name} wants ${name} ${version}, another package ${other}`);
      union.set(name, version);
    }
  return Object.fromEntries(union);
}

/** The package.json of the tarball: workspace packages bundled, everything else an ordinary dependency. */
export function programManifest({ program, parts, databases }: Composition): Record<string, unknown> {
  const own = Object.fromEntries(parts.map(({ manifest }) => [manifest.name, manifest.version]));
  const all = Object.entries({ ...fromElsewhere([program, ...parts], parts), ...own }).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...released(program, Object.fromEntries(all)),
    engines: { node: '>=24' },
    bin: Object.fromEntries(Object.entries(program.manifest.bin ?? {}).map(([name, file]) => [name, asScript(file)])),
    optionalDependencies: databases,
    bundleDependencies: Object.keys(own),
  };
}
