import { computeService } from '@better-compute/client';
import { iamService } from '@better-iam/client';
import { referenceOf, toolsOf } from '@kit/operation';
import { LEAVES } from '../../apps/better-compute/src/config/environment.ts';

const MADE = 'Made from the code by `node tools/generate.ts`; do not edit.';

function toolsPage(): string {
  const tools = computeService.operations.flatMap((op) => toolsOf(op));
  const members = (schema: Record<string, unknown>): string =>
    Object.keys((schema.properties as object | undefined) ?? {})
      .map((name) => `\`${name}\`${((schema.required as string[] | undefined) ?? []).includes(name) ? '' : '?'}`)
      .join(', ') || '–';
  const hints = (a: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean }): string =>
    [a.readOnlyHint && 'read-only', a.destructiveHint && 'destructive', a.idempotentHint && 'idempotent'].filter(Boolean).join(', ') || '–';
  const gate = (rule: (typeof tools)[number]['gate']): string => (rule === 'any' ? 'any signed-in caller' : `\`${rule.action}\` on the ${rule.type}`);
  return [
    '# MCP tools',
    '',
    MADE,
    '',
    '| Tool | Calls | Arguments | Gate | Hints |',
    '| --- | --- | --- | --- | --- |',
    ...tools.map((t) => `| \`${t.entry.name}\` | \`${t.operation.id}\` | ${members(t.entry.inputSchema)} | ${gate(t.gate)} | ${hints(t.entry.annotations)} |`),
    '',
    ...tools.flatMap((t) => [`## ${t.entry.name}`, '', t.entry.description, '']),
  ].join('\n');
}

function settingsPage(): string {
  const rows = LEAVES.map(
    (leaf) => `| \`${leaf.path}\` | ${leaf.default === undefined ? '–' : `\`${JSON.stringify(leaf.default)}\``} | \`${leaf.variable}\` | ${leaf.description} |`,
  );
  return [
    '# Settings',
    '',
    MADE,
    '',
    'Environment over `better-compute.config.ts` over default; the command line over all. `better-compute config print` shows what is used.',
    '',
    '| Setting | Default | Variable | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Every generated page by its path: written by `tools/generate.ts`, compared by a test. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ['docs/reference/compute-api.md', referenceOf(computeService, 'Compute API')],
    ['docs/reference/iam-api.md', referenceOf(iamService, 'IAM API', 'better-compute iam')],
    ['docs/reference/mcp-tools.md', toolsPage()],
    ['docs/reference/settings.md', settingsPage()],
  ]);
