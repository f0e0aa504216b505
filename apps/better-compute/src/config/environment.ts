import { z } from 'zod';
import { OptionsSchema } from './options.ts';

interface Leaf {
  /** `database.poolMax` */
  path: string;
  /** `BETTER_COMPUTE_DATABASE_POOL_MAX` */
  variable: string;
  type: string;
  description: string;
  default?: unknown;
}

interface Node {
  type?: string;
  properties?: Record<string, Node>;
  description?: string;
  default?: unknown;
}

export const variableOf = (path: string): string =>
  `BETTER_COMPUTE_${path
    .replaceAll('.', '_')
    .replace(/[A-Z]/g, (c) => `_${c}`)
    .toUpperCase()}`;

function leavesOf(node: Node, path: string): Leaf[] {
  if (node.properties) return Object.entries(node.properties).flatMap(([name, child]) => leavesOf(child, path === '' ? name : `${path}.${name}`));
  return [
    {
      path,
      variable: variableOf(path),
      type: node.type ?? 'string',
      description: node.description ?? '',
      ...(node.default === undefined ? {} : { default: node.default }),
    },
  ];
}

/** Every setting as one row, from the schema alone: for the environment, `config print` and the docs. */
export const LEAVES: readonly Leaf[] = leavesOf(z.toJSONSchema(OptionsSchema, { io: 'input', unrepresentable: 'any' }) as Node, '');

/** Variables that are no settings but are ours. */
const OTHERS = new Set([
  'BETTER_COMPUTE_NO_SYSTEM',
  'BETTER_COMPUTE_TOKEN',
  'BETTER_COMPUTE_URL',
  'BETTER_COMPUTE_AGENT_KEY',
  'BETTER_COMPUTE_CONFIG_HOME',
  'BETTER_COMPUTE_NODE_TOKEN',
]);

export interface FromEnvironment {
  values: Record<string, unknown>;
  /** `BETTER_COMPUTE_…` names that are no setting: probably a typing error, so a refusal. */
  unknown: string[];
}

export function settingsFromEnvironment(env: Record<string, string | undefined>): FromEnvironment {
  const values: Record<string, unknown> = {};
  const known = new Map(LEAVES.map((leaf) => [leaf.variable, leaf]));
  const unknown: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith('BETTER_COMPUTE_') || text === undefined || OTHERS.has(name)) continue;
    const leaf = known.get(name);
    if (!leaf) unknown.push(name);
    else setPath(values, leaf.path.split('.'), valueOf(leaf.type, text));
  }
  return { values, unknown };
}

function valueOf(type: string, text: string): unknown {
  if (type === 'integer') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  if (type === 'array') return text.split(',').map((part) => part.trim());
  return text;
}

function setPath(target: Record<string, unknown>, path: string[], value: unknown): void {
  let here = target;
  for (const step of path.slice(0, -1)) {
    here[step] ??= {};
    here = here[step] as Record<string, unknown>;
  }
  here[path.at(-1)!] = value;
}
