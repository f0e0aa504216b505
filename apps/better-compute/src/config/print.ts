import { LEAVES } from './environment.ts';
import { at, type LoadedConfig } from './load.ts';

const SECRETS = new Set(['secret', 'database.url']);

/** A password inside a database address is masked; a secret is only said to be there. */
function masked(path: string, value: unknown): unknown {
  if (value === undefined || !SECRETS.has(path)) return value;
  if (path !== 'database.url') return '(set)';
  try {
    const url = new URL(value as string);
    if (url.password !== '') url.password = '***';
    // libpq's other place for it
    for (const name of ['password', 'sslpassword']) if (url.searchParams.has(name)) url.searchParams.set(name, '***');
    return url.href;
  } catch {
    return '(set)';
  }
}

export interface ConfigRow {
  path: string;
  value: unknown;
  source: string;
  variable: string;
  description: string;
}

export function configRows(config: LoadedConfig): ConfigRow[] {
  return LEAVES.map((leaf) => ({
    path: leaf.path,
    value: masked(leaf.path, at(config.options as unknown as Record<string, unknown>, leaf.path)),
    source: config.sources[leaf.path] ?? 'default',
    variable: leaf.variable,
    description: leaf.description,
  }));
}

export function configText(config: LoadedConfig): string {
  const rows = configRows(config);
  const width = Math.max(...rows.map((row) => row.path.length));
  return [
    config.file ? `file: ${config.file}` : 'no better-compute.config.ts here: defaults and environment only',
    ...rows.map((row) => `${row.path.padEnd(width)}  ${row.value === undefined ? '–' : JSON.stringify(row.value)}  (${row.source}; ${row.variable})`),
  ].join('\n');
}
