import type { Confirmation } from '@better-iam/client';
import { lengthOf, type Locale, remaining, timeOfDay } from '../time/duration.ts';
import { inertText } from './inert-text.ts';
import { type Standing, standingSince } from './standing.ts';

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`);

/** Point 6 of iam.md §17.8; nothing when it was never asked before. */
export function repeatText(repeat: Confirmation['repeat']): string | undefined {
  if (repeat.count === 0) return undefined;
  const rejected = repeat.rejected === 0 ? 'never rejected' : `rejected ${times(repeat.rejected)}`;
  return `Asked ${times(repeat.count)} before in 24 h, ${rejected}.`;
}

/** Point 5 while it waits: until when the agent would have to come back. */
export const ifApprovedText = (c: Confirmation, now: number, o?: Locale): string =>
  `If you approve now, the agent must come back for it by ${timeOfDay(now + c.validSeconds * 1000, now, o)} (${lengthOf(c.validSeconds)}). If it does not, nothing happens.`;

export const decideByText = (c: Confirmation, now: number, o?: Locale): string => `${remaining(c.expiresAt - now)}, until ${timeOfDay(c.expiresAt, now, o)}`;

/** Point 7: whose words they are depends on who filed it. */
export function agentWords(c: Confirmation): string | undefined {
  const words = c.filedBy === 'agent' ? c.reason : c.note;
  return words === undefined || words.trim() === '' ? undefined : inertText(words);
}

/** Who decided, as far as the page can know it. */
function decider(c: Confirmation, meId: string): string {
  if (c.decidedBy === meId) return ' by you';
  if (c.deputyId !== undefined) return ' by a deputy';
  return c.decidedBy === undefined ? '' : ` by ${inertText(c.subjectName ?? 'the person it is put to')}`;
}

/** What became of it, and what follows. */
export function outcomeText(c: Confirmation, standing: Standing, o: { now: number; meId: string } & Locale): string {
  const at = (ms: number): string => timeOfDay(ms, o.now, o);
  const since = at(standingSince(c, standing));
  switch (standing) {
    case 'pending':
      return 'Waiting for a decision.';
    case 'approved':
      return `Approved${decider(c, o.meId)} at ${since}. It works once, if the agent comes back by ${at(c.expiresAt)} (${remaining(c.expiresAt - o.now)} left). If it does not, nothing happens.`;
    case 'rejected':
      return `Rejected${decider(c, o.meId)} at ${since}. Nothing happens.`;
    case 'used':
      return `The agent came back at ${since} and did exactly this, once. The approval is used up.`;
    case 'unused':
      return `Approved, but the agent did not come back by ${since}. Nothing happened.`;
    case 'lapsed':
      return `Lapsed at ${since}: nobody decided in time. Nothing happened.`;
  }
}
