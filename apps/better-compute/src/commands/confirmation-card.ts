import { faint, inert, strong, when } from './terminal.ts';

/** What the card reads of a confirmation; the record of iam.md §17.1 has more. */
export interface CardConfirmation {
  id: string;
  agent: { name: string; model?: string | undefined; sponsorName?: string | undefined };
  action: string;
  resource: { type: string; id: string };
  summary: string;
  facts?: { label: string; value: string }[] | undefined;
  filedBy: string;
  reason: string;
  note?: string | undefined;
  status: string;
  expired: boolean;
  repeat?: { count: number; rejected: number } | undefined;
  expiresAt: number;
  validSeconds: number;
}

/** What `budgets.left` told just now. */
export interface CardLeft {
  at: number;
  budgets: readonly { text: string }[];
  fitsNow: boolean | null;
}

/** Read live and marked so: never part of what is approved (iam.md §17.8, 3). */
function leftLines({ at, budgets, fitsNow }: CardLeft): string[] {
  const room = fitsNow === null ? [] : [fitsNow ? 'There is room for it now.' : 'There is no room for it now.'];
  const lines = [...budgets.map(({ text }) => inert(text)), ...room];
  return lines.map(
    (line, i) => `${i === 0 ? faint('now     ') : '        '} ${line}${i === 0 ? faint(` (read ${when(at)}, not part of what is approved)`) : ''}`,
  );
}

/** On one line, and spaces once: with line breaks or padding the agent could write lines that look like the system's. */
const wordsLine = (words: string): string =>
  `“${inert(
    words
      .trim()
      .replace(/\s*\n\s*/g, ' ⏎ ')
      .replace(/\s+/g, ' '),
  )}”`;

/** The same order as the page (iam.md §17.8): who, what, what is left now, the action, until when, repeats, and last the agent's own words. */
export function cardOf(c: CardConfirmation, nowMs: number, left?: CardLeft): string {
  const who = `${strong(inert(c.agent.name))}${c.agent.sponsorName ? `, sponsored by ${inert(c.agent.sponsorName)}` : ''}${c.agent.model ? `, ${inert(c.agent.model)}` : ''}`;
  const words = c.filedBy === 'agent' ? c.reason : c.note;
  const until = c.status === 'approved' ? c.expiresAt : nowMs + c.validSeconds * 1000;
  return [
    `${faint('agent')}    ${who}`,
    `${faint('system')}   ${strong(inert(c.summary))}`,
    ...(c.facts ?? []).map((fact) => `         ${faint(inert(fact.label))}: ${inert(fact.value)}`),
    ...(left ? leftLines(left) : []),
    `${faint('action')}   ${c.action} on ${c.resource.type}/${c.resource.id}`,
    c.status === 'pending' && !c.expired
      ? `${faint('works')}    once, if the agent comes back until ${when(until)}; if it does not, nothing happens. Decide before ${when(c.expiresAt)}.`
      : `${faint('state')}    ${c.status}${c.expired ? ', expired' : ''}${c.status === 'approved' && !c.expired ? `; works once until ${when(until)}` : ''}`,
    ...(c.repeat && c.repeat.count > 0 ? [`${faint('repeat')}   asked ${c.repeat.count} times in 24 h, rejected ${c.repeat.rejected}`] : []),
    words === undefined || words === '' ? faint('the agent gave no words') : `${faint("the agent's own words, unchecked:")} ${wordsLine(words)}`,
  ].join('\n');
}
