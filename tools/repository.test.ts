import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('issue2.10 what a clone must carry', () => {
  test('the lock file records no download address', () => {
    expect(textOf('package-lock.json')).not.toMatch(/"resolved": "(?!packages\/|apps\/)/);
  });

  test('everything is licensed, private, and pinned to exact versions', () => {
    const manifests = ['package.json', ...globSync(['packages/*/*/package.json', 'apps/*/package.json'], { cwd: root })];
    const loose = manifests.flatMap((path) => {
      const { private: isPrivate, license, ...rest } = JSON.parse(textOf(path)) as Record<string, unknown>;
      const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.entries((rest[kind] ?? {}) as Record<string, string>),
      );
      const isWrong =
        isPrivate !== true || license !== 'Apache-2.0' || versions.some(([, version]) => version !== '*' && !/^\d+\.\d+\.\d+[\w.-]*$/.test(version));
      return isWrong ? [path] : [];
    });
    expect(loose).toEqual([]);
  });

  test('programs are executable: npm sets the bit of a workspace bin, and a checkout without it would show as changed', () => {
    const programs = ['.ci/run', ...globSync(['apps/*/bin/*.ts', 'packages/*/*/bin/*.ts'], { cwd: root })];
    expect(programs.filter((path) => (statSync(join(root, path)).mode & 0o111) === 0)).toEqual([]);
  });
});
