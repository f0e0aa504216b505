// The static checks alone: node tools/check.ts
import { join } from 'node:path';
import { runChecks } from './report/checks.ts';

const results = await runChecks(join(import.meta.dirname, '..'), console.log);
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;
