import { expect, test } from 'vitest';
import { createServerClock } from './server-clock.ts';

const http = (ms: number): string => new Date(ms).toUTCString();
const noon = Date.UTC(2027, 0, 31, 12, 0, 0);

test('iam§17.8 countdowns go by the server: a clock five minutes off is corrected, one second is not worth it', () => {
  const clock = createServerClock(() => noon);
  clock.heard(http(noon + 1_000));
  expect(clock.now()).toBe(noon);
  clock.heard(http(noon + 300_000));
  expect(clock.now()).toBe(noon + 300_500);
  clock.heard(http(noon));
  expect(clock.now()).toBe(noon);
});

test('iam§17.8 an answer without a readable date changes nothing', () => {
  const clock = createServerClock(() => noon);
  clock.heard(null);
  clock.heard('yesterday');
  expect(clock.now()).toBe(noon);
});
