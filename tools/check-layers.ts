// Prints every import that breaks the layering: node tools/check-layers.ts
import { join } from 'node:path';
import { layerProblems } from './layers/check.ts';

const problems = layerProblems(join(import.meta.dirname, '..'));
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'layers: sound' : `layers: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
