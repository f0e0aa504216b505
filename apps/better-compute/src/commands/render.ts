import pc from 'picocolors';
import { inert, when } from './terminal.ts';

/** Columns worth a terminal's width, per noun; everything is in `--json`. */
const COLUMNS: Record<string, string[]> = {
  rsv: ['id', 'state', 'poolId', 'gpus', 'expiresAt', 'agentId'],
  pool: ['id', 'name', 'kind', 'placement', 'gpus', 'region'],
  node: ['id', 'name', 'state', 'poolId', 'gpus', 'lastSeenAt'],
  cnf: ['id', 'status', 'action', 'summary', 'expiresAt'],
};

const isTime = (name: string, value: unknown): value is number => typeof value === 'number' && /(At|^at|Time|timestamp)$/.test(name) && value > 1e11;

function cell(name: string, value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (isTime(name, value)) return when(value);
  if (Array.isArray(value)) return value.every((v) => typeof v !== 'object') ? value.join(', ') : `${value.length}`;
  if (typeof value === 'object') return JSON.stringify(value);
  return inert(`${value as string | number | boolean}`);
}

function table(rows: Record<string, unknown>[]): string {
  const id = rows[0]?.id;
  const prefix = typeof id === 'string' ? id.split('_')[0]! : '';
  const known = Object.hasOwn(COLUMNS, prefix) ? COLUMNS[prefix] : undefined;
  const present = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => typeof row[name] !== 'object' || row[name] === null || Array.isArray(row[name])),
  );
  const columns = (known ?? present.slice(0, 7)).filter((name) => rows.some((row) => row[name] !== undefined));
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(name, row[name])))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line, n) =>
      line
        .map((text, i) => (n === 0 ? pc.dim(text.padEnd(widths[i]!)) : text.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function members(value: Record<string, unknown>, indent: string): string[] {
  return Object.entries(value).flatMap(([name, item]) => {
    if (item === undefined) return [];
    if (Array.isArray(item) && item.some((v) => typeof v === 'object' && v !== null))
      return [
        `${indent}${pc.dim(name)}`,
        ...item.flatMap((v, i) =>
          typeof v === 'object' && v !== null
            ? [`${indent}  ${pc.dim(`[${i}]`)}`, ...members(v as Record<string, unknown>, `${indent}    `)]
            : [`${indent}  ${cell(name, v)}`],
        ),
      ];
    if (typeof item === 'object' && item !== null && !Array.isArray(item))
      return [`${indent}${pc.dim(name)}`, ...members(item as Record<string, unknown>, `${indent}  `)];
    return [`${indent}${pc.dim(name)}  ${cell(name, item)}`];
  });
}

/** An answer for a person: lists as a table, objects as their members, times as times. */
export function render(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return typeof answer === 'string' ? answer : 'done';
  const { items, nextCursor } = answer as { items?: Record<string, unknown>[]; nextCursor?: string | null };
  if (Array.isArray(items)) {
    if (items.length === 0) return pc.dim('nothing');
    return [table(items), ...(nextCursor ? [pc.dim(`more: --cursor ${nextCursor}`)] : [])].join('\n');
  }
  const lines = members(answer as Record<string, unknown>, '');
  return lines.length === 0 ? 'done' : lines.join('\n');
}
