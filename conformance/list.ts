// What is cited by no test and admitted nowhere, and gaps that are gaps no more: node conformance/list.ts
import { coverage } from './coverage.ts';
import { compactIds, gapLines } from './gap-lines.ts';

const found = coverage();
const lists: [title: string, ids: string[]][] = [
  ['cited by no test and no known gap', found.uncited],
  ['known gaps that a test cites (strike them off)', found.staleGaps],
  ['cited ids that do not exist', found.unknown],
  ['gaps whose id does not exist', found.unknownGaps],
];
for (const [title, ids] of lists) console.log(`${title} (${ids.length}): ${compactIds(ids) || 'none'}`);
for (const spelling of found.misspelt) console.log(`misspelt citation in ${spelling}`);
for (const line of gapLines()) console.log(line);
