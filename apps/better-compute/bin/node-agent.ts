#!/usr/bin/env node
// The simulated nodes of `better-compute dev`, without the rest of the program: half a second and most of its memory.
// Usage: node-agent --url URL --state-dir FOLDER, with one line of specification on standard input, which then stays open.
import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

enableCompileCache();
const { NodeRefusal, simulateFromInput } = await import('@better-compute/node');

const { url = [], 'state-dir': stateDir } = parseArgs({ options: { url: { type: 'string', multiple: true }, 'state-dir': { type: 'string' } } }).values;
// with the parent gone there is nobody to read it
process.stderr.on('error', () => {});
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

// the parent decides when it is over: Ctrl-C in its terminal reaches this process too
process.on('SIGINT', () => {});
try {
  if (url.length === 0 || stateDir === undefined) throw new NodeRefusal('INVALID_INPUT', 400, 'give --url and --state-dir');
  await simulateFromInput({ input: process.stdin, urls: url, stateDir, complain });
  process.exit(0);
} catch (error) {
  if (!(error instanceof NodeRefusal)) throw error;
  complain(`${error.code}: ${error.message}`);
  process.exit(1);
}
