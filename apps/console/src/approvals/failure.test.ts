import { expect, test } from 'vitest';
import { signInFailure } from '../session/sign-in-failure.ts';
import { decisionFailure, troubleText } from './failure.ts';

test('iam§17.6 a refused decision says what it means and whether deciding again is of use', () => {
  expect(decisionFailure({ code: 'INVALID_TRANSITION' })).toMatchObject({ isFinal: true, text: expect.stringContaining('already been decided') as string });
  expect(decisionFailure({ code: 'DELEGATION_INACTIVE' })).toMatchObject({ isFinal: true, text: expect.stringContaining('delegation has ended') as string });
  expect(decisionFailure({ code: 'NOT_FOUND' }).isFinal).toBe(true);
  expect(decisionFailure({ code: 'UNAVAILABLE' })).toMatchObject({ isFinal: false, text: expect.stringContaining('may or may not have arrived') as string });
  expect(decisionFailure({ code: 'RATE_LIMITED', retryAfterMs: 4_200 })).toMatchObject({
    isFinal: false,
    text: expect.stringContaining('5 seconds') as string,
  });
});

test('iam§7 a fault of the server names the request to ask about; what is no error of ours is one too', () => {
  expect(troubleText({ code: 'INTERNAL_ERROR', requestId: 'req-1' })).toContain('request req-1');
  expect(troubleText(new TypeError('boom'))).toContain('The server failed.');
});

test('iam§3.4 a failed sign-in does not say which of the three was wrong', () => {
  expect(signInFailure({ code: 'INVALID_CREDENTIALS' })).toContain('Check all three');
  expect(signInFailure({ code: 'RATE_LIMITED', retryAfterMs: 600_000 })).toContain('10 minutes');
});
