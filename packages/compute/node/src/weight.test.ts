import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LOADED = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
await import(process.argv[1]);
const builtins = process.moduleLoadList.map((line) => line.split(' ').pop());
console.log(JSON.stringify({ urls, builtins }));
`;

test('compute§4 an agent loads neither the schema library nor fetch: sixteen of them share one light process', () => {
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', LOADED, join(import.meta.dirname, 'index.ts')], { encoding: 'utf8' });
  const { urls, builtins } = JSON.parse(out) as { urls: string[]; builtins: string[] };
  const packages = new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []));
  expect([...packages]).toEqual(['ws']);
  expect(urls.filter((url) => /\/packages\//.test(url) && !url.includes('/packages/compute/node/'))).toEqual([]);
  // the way the list says it when it is there
  expect(builtins).toContain('http');
  expect(builtins).not.toContain('internal/deps/undici/undici');
});
