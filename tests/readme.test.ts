import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('issue2.done5 the README says through which five files a request goes, and they are there', () => {
  const table = /## Where things are\n(.*?)\n\n`packages/s.exec(readme)![1]!;
  const files = [...table.matchAll(/^\| (\d) \| \[(.+?)\]\((.+?)\)/gm)].map(([, n, text, link]) => ({ n: Number(n), text, link: link! }));
  expect(files.map((f) => f.n)).toEqual([1, 2, 3, 4, 5]);
  for (const { text, link } of files) {
    expect(link).toBe(text);
    expect(existsSync(join(root, link)), link).toBe(true);
  }
});

test('issue2.10 every page the README links is there, and its two commands are scripts', () => {
  const links = [...readme.matchAll(/\]\(((?!http)[^)#]+)\)/g)].map(([, link]) => link!);
  for (const link of links) expect(existsSync(join(root, link)), link).toBe(true);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'predemo', 'test', 'pretest', 'dev', 'release']));
});
