import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('B7 B8 B9 at run time this package needs its client and nothing else: no MCP SDK, no gate', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, object>;
  expect(Object.keys(manifest.dependencies!)).toEqual(['@better-compute/client']);
  expect(manifest.peerDependencies).toEqual({ '@better-iam/mcp': '*' });
  expect(manifest.peerDependenciesMeta).toEqual({ '@better-iam/mcp': { optional: true } });
  const files = (readdirSync(join(root, 'src'), { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(20);
  const imported = files.flatMap((file) =>
    [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name!),
  );
  expect([...new Set(imported.filter((name) => !name.startsWith('.')))]).toEqual(['@better-compute/client']);
});
