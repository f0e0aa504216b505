import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencePages } from './reference/pages.ts';

const root = join(import.meta.dirname, '..');

/** `node tools/generate.ts`: writes the reference pages from the contracts. */
for (const [path, text] of referencePages()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(path);
}
