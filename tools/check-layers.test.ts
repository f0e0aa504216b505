import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { layerProblems } from './layers/check.ts';

const trees: string[] = [];
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true });
});

const manifest = (name: string, dependencies: string[] = [], exports: Record<string, string> = { '.': './src/index.ts' }): string =>
  JSON.stringify({ name, exports, dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '*'])) });

/** A sound miniature of the repository; each test spoils one thing of it. */
const sound: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'root', devDependencies: { vitest: '1' } }),
  'packages/kit/operation/package.json': manifest('@kit/operation', ['zod']),
  'packages/kit/operation/src/index.ts': "import { z } from 'zod'; export const a = z;",
  'packages/kit/store/package.json': manifest('@kit/store', ['pg']),
  'packages/kit/store/src/index.ts': "export * from 'pg';",
  'packages/compute/contract/package.json': manifest('@better-compute/contract', ['@kit/operation']),
  'packages/compute/contract/src/index.ts': "export * from '@kit/operation';",
  'packages/compute/client/package.json': manifest('@better-compute/client', ['@kit/operation', '@better-compute/contract']),
  'packages/compute/client/src/index.ts': "export * from '@better-compute/contract'; export * from './b.ts';",
  'packages/compute/client/src/b.ts': "import type { A } from '@kit/operation'; export type B = A;",
  'packages/compute/control/package.json': manifest('@better-compute/control', ['@kit/store', '@better-compute/contract', '@better-compute/placement']),
  'packages/compute/control/src/index.ts': "import '@kit/store'; import '@better-compute/contract'; import '@better-compute/placement'; import 'node:fs';",
  'packages/compute/placement/package.json': manifest('@better-compute/placement'),
  'packages/compute/placement/src/index.ts': "import { createHash } from 'node:crypto'; export { createHash };",
  'packages/compute/mcp/package.json': manifest('@better-compute/mcp', ['@better-compute/client']),
  'packages/compute/mcp/src/index.ts': "export * from '@better-compute/client';",
  'packages/compute/mcp/src/a.test.ts': "import { test } from 'vitest'; import '@better-compute/control'; import '../../../../tools/needs.ts'; test;",
  'packages/compute/node/package.json': manifest('@better-compute/node', ['@better-compute/client']),
  'packages/compute/node/src/index.ts': "import '@better-compute/client';",
  'packages/iam/server/package.json': manifest('@better-iam/server', []),
  'packages/iam/server/src/index.ts': 'export const server = 1;',
  'packages/iam/client/package.json': manifest('@better-iam/client', []),
  'packages/iam/client/src/index.ts': 'export const client = 1;',
  'packages/iam/mcp/package.json': manifest('@better-iam/mcp', ['@better-iam/client']),
  'packages/iam/mcp/src/index.ts': "import '@better-iam/client';",
  'apps/better-compute/package.json': manifest('better-compute', ['@better-iam/server', '@better-compute/control'], { './cli': './src/cli.ts' }),
  'apps/better-compute/src/cli.ts': "import '@better-iam/server'; import '@better-compute/control';",
  'tests/story.test.ts': "import '@better-iam/server'; import 'better-compute/cli'; import 'vitest';",
  'tools/needs.ts': 'export const needs = 1;',
};

function problemsWith(change: Record<string, string>): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'layers-'));
  trees.push(tree);
  for (const [path, text] of Object.entries({ ...sound, ...change })) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return layerProblems(tree);
}

/** What is added, and the one complaint it must cause. */
const breaks: [name: string, change: Record<string, string>, complaint: string][] = [
  [
    'importing what is only an optional peer',
    {
      'packages/compute/mcp/package.json': JSON.stringify({
        name: '@better-compute/mcp',
        exports: { '.': './src/index.ts' },
        dependencies: { '@better-compute/client': '*' },
        peerDependencies: { '@better-iam/mcp': '*' },
        peerDependenciesMeta: { '@better-iam/mcp': { optional: true } },
      }),
      'packages/compute/mcp/src/index.ts': "import '@better-iam/mcp';",
    },
    'packages/compute/mcp/src/index.ts:1 @better-compute/mcp may not know @better-iam/mcp (other mcp)',
  ],
  [
    'a contract that knows its client',
    { 'packages/compute/contract/src/x.ts': "import '@better-compute/client';" },
    'packages/compute/contract/src/x.ts:1 @better-compute/contract may not know @better-compute/client (own client)',
  ],
  [
    'compute/mcp that loads the control plane',
    { 'packages/compute/mcp/src/x.ts': "\nexport const f = () => import('@better-compute/control');" },
    'packages/compute/mcp/src/x.ts:2 @better-compute/mcp may not know @better-compute/control (own control)',
  ],
  [
    'compute/mcp that knows the kit, if only its types',
    { 'packages/compute/mcp/src/x.ts': "import type { A } from '@kit/operation'; export type B = A;" },
    'packages/compute/mcp/src/x.ts:1 @better-compute/mcp may not know @kit/operation (operation)',
  ],
  [
    'compute/mcp with a library',
    { 'packages/compute/mcp/package.json': manifest('@better-compute/mcp', ['@better-compute/client', 'zod']) },
    'packages/compute/mcp/package.json may not depend on zod',
  ],
  [
    'a gate that imports the IAM server',
    { 'packages/iam/mcp/src/x.ts': "export * from '@better-iam/server';" },
    'packages/iam/mcp/src/x.ts:1 @better-iam/mcp may not know @better-iam/server (own control)',
  ],
  [
    'control that knows another service',
    { 'packages/compute/control/src/x.ts': "type S = import('@better-iam/server').S; export type T = S;" },
    'packages/compute/control/src/x.ts:1 @better-compute/control may not know @better-iam/server (other control)',
  ],
  [
    'a node agent that knows the control plane',
    { 'packages/compute/node/src/x.ts': "import '@better-compute/control';" },
    'packages/compute/node/src/x.ts:1 @better-compute/node may not know @better-compute/control (own control)',
  ],
  [
    'a dependency that the table forbids, though nothing imports it',
    { 'packages/compute/client/package.json': manifest('@better-compute/client', ['@kit/operation', '@better-compute/contract', '@better-compute/control']) },
    'packages/compute/client/package.json may not depend on @better-compute/control',
  ],
  [
    'an undeclared workspace package',
    { 'packages/compute/control/src/x.ts': "import '@kit/operation';" },
    'packages/compute/control/src/x.ts:1 @kit/operation is not among the dependencies of @better-compute/control',
  ],
  [
    'an undeclared library',
    { 'packages/compute/control/src/x.ts': "import 'ws';" },
    'packages/compute/control/src/x.ts:1 ws is not among the dependencies of @better-compute/control',
  ],
  [
    'a test tool in shipped code',
    { 'packages/compute/control/src/x.ts': "import 'vitest';" },
    'packages/compute/control/src/x.ts:1 vitest is not among the dependencies of @better-compute/control',
  ],
  [
    'a deep import by name',
    { 'tests/x.test.ts': "import '@better-compute/control/src/index.ts';" },
    'tests/x.test.ts:1 @better-compute/control does not export ./src/index.ts',
  ],
  [
    'a deep import by path',
    { 'tests/x.test.ts': "import '../packages/compute/control/src/index.ts';" },
    'tests/x.test.ts:1 reaches into packages/compute/control by path: import @better-compute/control',
  ],
  [
    'a package that reaches into its neighbour by path',
    { 'packages/compute/client/src/x.ts': "import '../../contract/src/index.ts';" },
    'packages/compute/client/src/x.ts:1 reaches into packages/compute/contract by path: import @better-compute/contract',
  ],
  [
    'shipped code that leaves its package',
    { 'packages/compute/client/src/x.ts': "import '../../../../tools/needs.ts';" },
    'packages/compute/client/src/x.ts:1 leaves its package: tools/needs.ts',
  ],
  [
    'a package test that spans services',
    { 'packages/compute/mcp/src/b.test.ts': "import '@better-iam/server';" },
    'packages/compute/mcp/src/b.test.ts:1 @better-compute/mcp may not know @better-iam/server (other control)',
  ],
  ['I/O in pure code', { 'packages/compute/placement/src/x.ts': "import 'node:fs';" }, 'packages/compute/placement/src/x.ts:1 pure code does no I/O: node:fs'],
  [
    'Node in a client',
    { 'packages/compute/client/src/x.ts': "import 'node:crypto';" },
    'packages/compute/client/src/x.ts:1 must run without Node: node:crypto',
  ],
  ['SQL in a node agent', { 'packages/compute/node/src/x.ts': "import 'pg';" }, 'packages/compute/node/src/x.ts:1 @better-compute/node does no SQL: pg'],
  [
    'exports with a wildcard',
    { 'packages/iam/client/package.json': manifest('@better-iam/client', [], { '.': './src/index.ts', './*': './src/*' }) },
    'packages/iam/client/package.json exports may have no wildcard: ./*',
  ],
  [
    'a role without a rule',
    { 'packages/compute/extra/package.json': manifest('@better-compute/extra') },
    'packages/compute/extra/package.json no rule for compute/extra: give it a row in tools/layers/rules.ts',
  ],
];

describe('layers', () => {
  test('issue2.1 a sound tree has no problem', () => {
    expect(problemsWith({})).toEqual([]);
  });

  test.each(breaks)('issue2.1 catches %s', (_name, change, complaint) => {
    expect(problemsWith(change)).toEqual([complaint]);
  });

  test('issue2.1 this repository keeps its layers', () => {
    expect(layerProblems(join(import.meta.dirname, '..'))).toEqual([]);
  });
});
