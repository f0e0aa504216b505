import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GROUPS } from './groups.ts';
import { type Row, rowOf } from './row.ts';

/** `npm run bench -- [--only GROUP] [--data DIR] [--json FILE]`: prints a table as it goes; exit code 1 when a must is missed. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, data: { type: 'string' }, json: { type: 'string' } } });
  const groups = GROUPS.filter((group) => values.only === undefined || group.name === values.only);
  if (groups.length === 0) throw new Error(`no group ${values.only}; there are: ${GROUPS.map((group) => group.name).join(', ')}`);
  const rows: Row[] = [];
  print(['row', 'value', 'unit', 'beside', '', 'ratio', 'must', 'goal', '']);
  for (const group of groups) {
    for await (const measured of group.run({ data: values.data ?? join(import.meta.dirname, 'data', 'openb') })) {
      const row = rowOf(group.name, measured);
      rows.push(row);
      print([row.id, row.value, row.unit, row.peer, row.peerValue, row.ratio, row.must, row.goal, row.ok ? 'ok' : 'MISSED']);
    }
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
  if (rows.some((row) => !row.ok)) process.exitCode = 1;
}

const WIDTHS = [40, 10, 9, 22, 9, 8, 10, 18, 6];

function print(cells: readonly (string | number | undefined)[]): void {
  console.log(
    cells
      .map((cell, i) => String(cell ?? '').padEnd(WIDTHS[i] ?? 0))
      .join(' ')
      .trimEnd(),
  );
}

await main();
