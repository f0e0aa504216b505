import { parseArgs } from 'node:util';
import { fuzzMcp } from './mcp/fuzz.ts';

/** `node tests/fuzz/mcp.ts [--inputs N] [--seed N]`: exit code 1 at the first input that breaks what must hold. */
const { values } = parseArgs({ options: { inputs: { type: 'string', default: '1000000' }, seed: { type: 'string' } } });
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
const inputs = Number(values.inputs);
console.log(`seed ${seed}`);
const began = performance.now();
const report = await fuzzMcp({ inputs, seed, onProgress: (done) => process.stderr.write(`\r${done}`) });
const seconds = (performance.now() - began) / 1000;
process.stderr.write('\r');
console.log(JSON.stringify({ ...report, seconds: Math.round(seconds), perSecond: Math.round(report.inputs / seconds) }, null, 2));
if (report.finding) process.exitCode = 1;
