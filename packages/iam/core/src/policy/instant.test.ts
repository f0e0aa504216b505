import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from './instant.ts';

test('iam§10.4 a date and time with a zone reads as the platform reads it', () => {
  const time = fc.integer({ min: Date.UTC(0, 0) - 1.9e12, max: Date.UTC(9999, 11, 31) }).filter((ms) => /^\d{4}-/.test(new Date(ms).toISOString()));
  fc.assert(
    fc.property(time, fc.integer({ min: -23 * 60, max: 23 * 60 }), (ms, offsetMinutes) => {
      const local = new Date(ms + offsetMinutes * 60_000).toISOString();
      fc.pre(/^\d{4}-/.test(local));
      const zone = `${offsetMinutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0')}:${String(Math.abs(offsetMinutes) % 60).padStart(2, '0')}`;
      expect(parseInstant(new Date(ms).toISOString())).toBe(ms);
      expect(parseInstant(local.replace('Z', zone))).toBe(ms);
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['2026-01-01T08:00+01:00', Date.UTC(2026, 0, 1, 7)],
  ['2026-01-01T08:00:00.5Z', Date.UTC(2026, 0, 1, 8) + 500],
  ['2026-01-01T08:00:00.0005Z', Date.UTC(2026, 0, 1, 8) + 0.5],
  ['1970-01-01T00:00:00-00:30', 30 * 60_000],
])('iam§10.4 %s is an instant', (text, ms) => expect(parseInstant(text)).toBe(ms));

test.each([
  '',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00.1234567890Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00Zx',
  ' 2026-01-01T00:00:00Z',
  '20a6-01-01T00:00:00Z',
  '+12026-01-01T00:00:00Z',
])('iam§10.4 %j is no instant', (text) => expect(parseInstant(text)).toBe(undefined));
