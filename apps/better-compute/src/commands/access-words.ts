import type { ActionReach, Explanation, PreviewWarning } from '@better-iam/client';
import { bad, faint, good, inert, strong } from './terminal.ts';

type By = NonNullable<Explanation['steps'][number]['by']>;
type Warning = PreviewWarning;

const byText = ({ kind, id, name, sid }: By): string =>
  `${sid === undefined ? '' : `statement ${inert(sid)} of `}${kind.replaceAll('-', ' ')} ${inert(name ?? id)}`;

const who = ({ name, agentName, delegationId }: Explanation['subject']): string =>
  delegationId === undefined ? inert(name) : `${inert(agentName ?? 'the agent')}, for ${inert(name)}`;

/** One sentence, and what would have to change. */
export function explainWords(e: Explanation): string {
  const what = `${inert(e.action)} on ${inert(`${e.resource.type}/${e.resource.id}`)}`;
  const last = e.steps.at(-1);
  const by = last?.by ? ` (${byText(last.by)})` : '';
  const sentences = {
    ALLOWED: `${good('Yes')}: ${who(e.subject)} may do ${what}${by}.`,
    ROOT_OVERRIDE: `${good('Yes')}: ${who(e.subject)} is a root administrator and overrides every policy.`,
    CONFIRMATION_REQUIRED: `${strong('Held')}: ${who(e.subject)} may do ${what} once a person has confirmed it${by}.`,
    ACCESS_DENIED: `${bad('No')}: ${who(e.subject)} may not do ${what}${by}.`,
    UNAUTHENTICATED: `${bad('No')}: ${who(e.subject)} cannot act at all now${by}.`,
    TENANT_INACTIVE: `${bad('No')}: the organization is not active.`,
  };
  return [
    sentences[e.reason],
    ...(e.then === undefined ? [] : [`${inert(e.then)}.`]),
    ...(e.recorded
      ? [
          `It was denied at ${new Date(e.recorded.at).toISOString()} because of ${inert(e.recorded.internalReason ?? 'no reason that was recorded')}; now it would be decided ${e.differs ? 'otherwise' : 'alike'}.`,
        ]
      : []),
  ].join('\n');
}

/** Every step, for `iam explain`. */
export const stepWords = ({ steps }: Explanation): string =>
  steps
    .map(
      (s) =>
        `${s.outcome === 'refused' ? bad('✗') : s.outcome === 'held' ? strong('…') : good('✓')} ${s.step}. ${inert(s.what)}${s.by ? faint(`  ${byText(s.by)}`) : ''}`,
    )
    .join('\n');

const order = ['always', 'conditional', 'held', 'never'] as const;
const headings = {
  always: good('may always'),
  conditional: strong('may sometimes'),
  held: strong('may once a person confirms, each time'),
  never: bad('may never'),
};

function ruleText({ effect, by, resources, conditions }: ActionReach['rules'][number]): string {
  const on = resources.map(inert).join(', ');
  return `${effect === 'deny' ? 'not ' : ''}on ${on}${conditions ? `, where ${inert(JSON.stringify(conditions))}` : ''}${by ? `, says ${byText(by)}` : ''}`;
}

/** By level; what is never is named without why unless nothing else is there. */
export function reachWords(actions: readonly ActionReach[]): string {
  return order
    .flatMap((level) => {
      const own = actions.filter((one) => one.reach === level);
      if (own.length === 0) return [];
      if (level === 'never') return [headings[level], faint(`  ${[...new Set(own.map((one) => inert(one.action)))].join(', ')}`)];
      return [headings[level], ...own.flatMap((one) => [`  ${inert(one.action)}`, ...one.rules.map((rule) => faint(`    ${ruleText(rule)}`))])];
    })
    .join('\n');
}

export const warningWords = (warnings: readonly Warning[]): string => warnings.map(({ text }) => `${strong('mind:')} ${inert(text)}`).join('\n');
