import type { Package } from './workspace.ts';

interface Rule {
  /** Neighbours, as `relationOf` names them; `all` for the one place where the services are joined. */
  mayImport: readonly string[] | 'all';
  /** Runs in a browser or any Fetch runtime, so no module of Node; `hashing` allows node:crypto to pure code. */
  runs?: 'anywhere' | 'hashing';
  /** Nothing but workspace packages at run time. */
  onlyWorkspace?: true;
  sql?: true;
}

const pure: Rule = { mayImport: [], runs: 'hashing' };
const control: Rule = { mayImport: ['operation', 'kit', 'own contract', 'own pure'], sql: true };

/** Who may import what: the table of architecture.md §2. A role that is not here has no place yet. */
const rules: Record<string, Rule> = {
  'kit/operation': { mayImport: [], runs: 'anywhere' },
  'kit/http': { mayImport: ['operation'] },
  'kit/store': { mayImport: ['operation'], sql: true },
  contract: { mayImport: ['operation'], runs: 'anywhere' },
  client: { mayImport: ['operation', 'own contract'], runs: 'anywhere' },
  core: pure,
  placement: pure,
  control,
  server: control,
  'compute/mcp': { mayImport: ['own client'], runs: 'anywhere', onlyWorkspace: true },
  'iam/mcp': { mayImport: ['operation', 'own contract', 'own client'], runs: 'anywhere' },
  node: { mayImport: ['operation', 'own contract', 'own client', 'other client'] },
  'apps/console': { mayImport: ['operation', 'other client'] },
  'apps/better-compute': { mayImport: 'all', sql: true },
};

const kinds: Record<string, string> = { core: 'pure', placement: 'pure', server: 'control' };

/** How `from` sees `to`: `operation`, `kit`, or `own client`, `other control` … */
export function relationOf(from: Package, to: Package): string {
  if (to.service === 'kit') return to.role === 'operation' ? 'operation' : 'kit';
  return `${to.service === from.service ? 'own' : 'other'} ${kinds[to.role] ?? to.role}`;
}

export const ruleOf = (pkg: Package): Rule | undefined => rules[`${pkg.service}/${pkg.role}`] ?? rules[pkg.role];

export const mayImport = (from: Package, to: Package): boolean => {
  const allowed = ruleOf(from)?.mayImport ?? [];
  return allowed === 'all' || allowed.includes(relationOf(from, to));
};

/** Test code may lean on its own service and the kit; what spans services belongs to the root folder `tests`. */
export const mayImportInTest = (from: Package, to: Package): boolean => mayImport(from, to) || to.service === from.service || to.service === 'kit';
