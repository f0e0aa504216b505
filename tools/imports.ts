// Imports each module given, under plain Node: what tsc and vitest let pass (a `.js` import, a decorator) fails here.
// Usage: node tools/imports.ts FILE …
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

let failures = 0;
for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    failures += 1;
    console.log(`${file}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
  }
}
process.exit(failures === 0 ? 0 : 1);
