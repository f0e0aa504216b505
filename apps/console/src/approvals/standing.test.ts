import { expect, test } from 'vitest';
import { confirmation } from '../test-support/confirmation.ts';
import { standingOf } from './standing.ts';

test('iam§17.2 expiry is strict: at the exact millisecond a request can no longer be decided, nor an approval used', () => {
  for (const [status, before, from] of [
    ['pending', 'pending', 'lapsed'],
    ['approved', 'approved', 'unused'],
  ] as const) {
    const c = confirmation({ status });
    expect(standingOf(c, c.expiresAt - 1)).toBe(before);
    expect(standingOf(c, c.expiresAt)).toBe(from);
    expect(standingOf({ ...c, expired: true }, c.createdAt)).toBe(from);
  }
});

test('iam§17.2 used and rejected are final whatever the clock says', () => {
  for (const status of ['used', 'rejected'] as const) expect(standingOf(confirmation({ status }), Number.MAX_SAFE_INTEGER)).toBe(status);
});
