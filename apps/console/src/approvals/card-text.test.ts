import { expect, test } from 'vitest';
import { confirmation, noon } from '../test-support/confirmation.ts';
import { agentWords, decideByText, ifApprovedText, outcomeText, repeatText } from './card-text.ts';

const at = { locale: 'en-GB', timeZone: 'UTC' };
const line = (c: ReturnType<typeof confirmation>, standing: Parameters<typeof outcomeText>[1], now = noon) =>
  outcomeText(c, standing, { now, meId: 'usr_me', ...at });

test('iam§17.8 until when the agent must come back ticks while nothing is decided', () => {
  expect(ifApprovedText(confirmation(), noon, at)).toBe(
    'If you approve now, the agent must come back for it by 13:00:00 (60\u00a0min). If it does not, nothing happens.',
  );
  expect(ifApprovedText(confirmation({ validSeconds: 30 }), noon + 61_000, at)).toContain('by 12:01:31 (30\u00a0s)');
  expect(decideByText(confirmation(), noon + 19_000, at)).toBe('29 min 41 s, until 12:30:00');
});

test('iam§17.8 after the click the time is fixed', () => {
  const approved = confirmation({ status: 'approved', decidedAt: noon, decidedBy: 'usr_me', expiresAt: noon + 3_600_000 });
  expect(line(approved, 'approved', noon + 60_000)).toBe(
    'Approved by you at 12:00:00. It works once, if the agent comes back by 13:00:00 (59 min 00 s left). If it does not, nothing happens.',
  );
});

test('iam§17.8 an outcome says whose decision it was', () => {
  const rejected = confirmation({ status: 'rejected', decidedAt: noon });
  expect(line({ ...rejected, decidedBy: 'usr_deputy', deputyId: 'dep_1' }, 'rejected')).toContain('Rejected by a deputy at');
  expect(line({ ...rejected, decidedBy: 'usr_other' }, 'rejected')).toContain('Rejected by Alex Kim at');
});

test('iam§17.8 repeat is said when it is not zero, and only then', () => {
  expect(repeatText({ count: 0, rejected: 0 })).toBeUndefined();
  expect(repeatText({ count: 1, rejected: 0 })).toBe('Asked once before in 24 h, never rejected.');
  expect(repeatText({ count: 3, rejected: 2 })).toBe('Asked 3 times before in 24 h, rejected twice.');
});

test("iam§17.8 the agent's words are its reason when it filed itself, else its note; never the fixed reason of a service", () => {
  expect(agentWords(confirmation({ filedBy: 'agent', reason: 'mine' }))).toBe('mine');
  expect(agentWords(confirmation({ note: 'mine too' }))).toBe('mine too');
  expect(agentWords(confirmation())).toBeUndefined();
  expect(agentWords(confirmation({ filedBy: 'agent', reason: ' \n ' }))).toBeUndefined();
});

test('iam§25 what an agent hides in its words is made visible', () => {
  expect(agentWords(confirmation({ note: 'safe\u202e\u200bexe\u{e0041}\nnext' }))).toBe('safe[U+202E][U+200B]exe[U+E0041]\nnext');
});
