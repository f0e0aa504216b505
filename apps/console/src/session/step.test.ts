import { expect, test } from 'vitest';
import { stepAfter } from './step.ts';

test('iam§3.4 after the password: in, or the code, or the enrolment of a factor that is missing', () => {
  expect(stepAfter({ token: 't' })).toEqual({ at: 'in' });
  expect(stepAfter({ mfaRequired: true, challenge: 'c', enrollmentRequired: false })).toEqual({ at: 'code', challenge: 'c' });
  expect(stepAfter({ mfaRequired: true, challenge: 'c', enrollmentRequired: true })).toEqual({ at: 'enrol', challenge: 'c' });
});
