import { expect, test } from 'vitest';
import { lengthOf, remaining, timeOfDay } from './duration.ts';

test('iam§17.8 what is left is told in the two units that matter and never below zero', () => {
  expect([3_900_000, 1_781_999, 41_000, 0, -5].map(remaining)).toEqual(['1 h 05 min', '29 min 41 s', '41 s', '0 s', '0 s']);
  expect([30, 90, 120, 300, 3600].map(lengthOf)).toEqual(['30\u00a0s', '90\u00a0s', '2\u00a0min', '5\u00a0min', '60\u00a0min']);
});

test('iam§17.8 a time of another day is told with its day', () => {
  const evening = Date.UTC(2027, 0, 31, 23, 40);
  const o = { locale: 'en-GB', timeZone: 'UTC' };
  expect(timeOfDay(evening, evening, o)).toBe('23:40:00');
  expect(timeOfDay(evening + 3_600_000, evening, o)).toBe('1 Feb, 00:40:00');
});
