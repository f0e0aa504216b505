import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referencePages } from './reference/pages.ts';

test.each([...referencePages()])('issue2.2 %s is what the contracts say: run node tools/generate.ts', (path, text) => {
  expect(readFileSync(join(import.meta.dirname, '..', path), 'utf8')).toBe(text);
});
