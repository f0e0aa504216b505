#!/usr/bin/env node
// By no name: an older Node without it would refuse the file before it could say what is wrong.
import * as nodeModule from 'node:module';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(`better-compute needs Node 24 or newer; this is ${process.version}. Inside a clone, use: npm run dev, npm run demo, or npx better-compute.`);
  process.exit(1);
}
nodeModule.enableCompileCache();
const { main } = await import('../src/main.ts');
const code = await main(process.argv.slice(2));
// a configuration file may hold connections of its own: what was asked for is done, so the process ends
process.stdout.write('', () => process.exit(code));
