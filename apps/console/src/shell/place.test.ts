import { expect, test } from 'vitest';
import { cardPath, placeOf } from './place.ts';

test('product§1 / and /approvals are the inbox, /approvals/{cnf} is one card', () => {
  for (const path of ['/', '/approvals', '/approvals/', '/approvals/a/b']) expect(placeOf(path)).toEqual({});
  expect(placeOf('/approvals/cnf_abc')).toEqual({ confirmationId: 'cnf_abc' });
  expect(placeOf(cardPath('a/b?c'))).toEqual({ confirmationId: 'a/b?c' });
  expect(placeOf('/approvals/%E0%A4%A')).toEqual({ confirmationId: '%E0%A4%A' });
});
