import { commandOf } from './command.ts';
import { actionsOf, type Operation } from './operation.ts';
import { pathOf, type Service } from './service.ts';
import { jsonSchemaOf, toolsOf } from './tool.ts';

interface Member {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
  anyOf?: Member[];
}

const typeText = (m: Member): string =>
  m.enum
    ? m.enum.map((v) => JSON.stringify(v)).join(' | ')
    : m.anyOf
      ? m.anyOf.map(typeText).join(' | ')
      : `${[m.type ?? 'any'].flat().join(' | ')}${m.minimum !== undefined && m.maximum !== undefined && Math.abs(m.maximum) < 2 ** 53 - 1 ? ` ${m.minimum}–${m.maximum}` : ''}`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function membersTable(schema: Record<string, unknown>): string[] {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const rows = Object.entries((schema.properties as Record<string, Member> | undefined) ?? {}).map(
    ([name, m]) => `| \`${name}\`${required.has(name) ? '' : '?'} | ${cell(typeText(m))} | ${cell(m.description ?? '')} |`,
  );
  return rows.length === 0 ? [] : ['', '| Member | Type | Meaning |', '| --- | --- | --- |', ...rows];
}

function pageOf(s: Service, op: Operation, program: string): string[] {
  const command = commandOf(op);
  const actions = actionsOf(op).map((action) => `\`${action}\``);
  const facts = [
    `\`POST ${pathOf(s, op)}\``,
    ...(actions.length > 0 ? [`decided as ${actions.join(', ')}${op.actionBy ? ` by \`${op.actionBy.member}\`` : ''}`] : []),
    ...(op.userOnly ? ["a person's own session only"] : []),
    ...(command ? [`\`${program} ${command.path.join(' ')}${command.positional.map((p) => ` <${p.name}>`).join('')}\``] : []),
    ...toolsOf(op).map((tool) => `MCP tool \`${tool.entry.name}\``),
  ];
  const answer = (jsonSchemaOf(op.output, 'output').properties as Record<string, unknown> | undefined) ?? {};
  return [
    `## ${op.id}`,
    '',
    op.summary,
    '',
    facts.join(' · '),
    ...membersTable(jsonSchemaOf(op.input, 'input')),
    '',
    `Answers \`{ ${Object.keys(answer).join(', ')} }\`.${op.errors.length > 0 ? ` Refuses, beyond the common codes, with ${op.errors.map((c) => `\`${c}\``).join(', ')}.` : ''}`,
    ...op.examples.flatMap((e) => ['', `${e.title}:`, '', '```json', JSON.stringify(e.input, null, 2), '```']),
    '',
  ];
}

/** The reference page of a service in Markdown, from its operations alone. `program`: what its verbs stand under. */
export function referenceOf(s: Service, title: string, program = 'better-compute'): string {
  return [
    `# ${title}`,
    '',
    'Made from the contract by `node tools/generate.ts`; do not edit.',
    '',
    ...s.operations.flatMap((op) => pageOf(s, op, program)),
  ].join('\n');
}
