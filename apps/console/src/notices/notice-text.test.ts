import type { Notice } from '@better-iam/client';
import { expect, test } from 'vitest';
import { noticeText } from './notice-text.ts';

const NOON = Date.UTC(2030, 0, 1, 12);
const notice: Notice = {
  id: 'rst_a',
  kind: 'reset',
  tenantId: 'tnt_a',
  identityId: 'usr_a',
  name: 'Alex',
  reason: 'phone lost',
  by: 'Olga',
  factor: false,
  at: NOON,
};
const o = { meId: 'usr_b', now: NOON, locale: 'en-GB', timeZone: 'UTC' };

test('iam§3.5 a notice says who let whom in, why, with what, and whether it was used; text of others stays inert', () => {
  expect(noticeText(notice, o)).toBe('At 12:00:00 Olga made a code that lets Alex in again. Reason given: “phone lost”. It has not been used.');
  expect(noticeText({ ...notice, kind: 'break-glass', by: 'ops', factor: true, usedAt: NOON + 60_000 }, { ...o, meId: 'usr_a' })).toBe(
    'At 12:00:00 ops on the host (break-glass) made a code that lets you in again without a second factor. Reason given: “phone lost”. It was used at 12:01:00.',
  );
  expect(noticeText({ ...notice, reason: 'a\u202eb' }, o)).toContain('a[U+202E]b');
});
