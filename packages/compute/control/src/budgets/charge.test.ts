import { expect, test } from 'vitest';
import { Random } from '../testing/random.ts';
import { settled } from './charge.ts';
import { windowOf } from './period.ts';

test('compute§3.5 what was not used is given back by the latest entry first, and live counts are not hours', () => {
  const entries = [
    { gpuHours: 10, vcpuHours: 80, liveReservations: 1 },
    { gpuHours: 4, vcpuHours: 32 },
  ];
  expect(settled(entries, { gpuHours: 12, vcpuHours: 96 })).toEqual([
    { gpuHours: 10, vcpuHours: 80, liveReservations: 1 },
    { gpuHours: 2, vcpuHours: 16 },
  ]);
  expect(settled(entries, { gpuHours: 3, vcpuHours: 24 })).toEqual([
    { gpuHours: 3, vcpuHours: 24, liveReservations: 1 },
    { gpuHours: 0, vcpuHours: 0 },
  ]);
  expect(settled(entries, {})).toEqual([
    { gpuHours: 0, vcpuHours: 0, liveReservations: 1 },
    { gpuHours: 0, vcpuHours: 0 },
  ]);
});

test('compute§3.5 what stays charged is what was used, never more than an entry booked, for whatever entries', () => {
  const random = new Random(7);
  for (let round = 0; round < 500; round++) {
    const entries = Array.from({ length: random.between(1, 6) }, () => ({ gpuHours: random.below(100) }));
    const booked = entries.reduce((sum, entry) => sum + entry.gpuHours, 0);
    const used = random.below(booked + 20);
    const kept = settled(entries, { gpuHours: used });
    expect(kept.reduce((sum, entry) => sum + entry.gpuHours!, 0)).toBe(Math.min(used, booked));
    kept.forEach((entry, i) => expect(entry.gpuHours).toBeLessThanOrEqual(entries[i]!.gpuHours));
  }
});

test('compute§3.5 a period is the UTC day or month of the moment, and without one everything since the budget was set', () => {
  const at = (text: string): number => Date.parse(text);
  const last = at('2028-02-29T23:59:59.999Z');
  expect(windowOf('day', 5, last)).toEqual({ from: at('2028-02-29T00:00Z'), renewsAt: at('2028-03-01T00:00Z') });
  expect(windowOf('month', 5, last)).toEqual({ from: at('2028-02-01T00:00Z'), renewsAt: at('2028-03-01T00:00Z') });
  expect(windowOf('day', 5, last + 1)).toEqual({ from: at('2028-03-01T00:00Z'), renewsAt: at('2028-03-02T00:00Z') });
  expect(windowOf('month', 5, at('2027-12-31T12:00Z'))).toEqual({ from: at('2027-12-01T00:00Z'), renewsAt: at('2028-01-01T00:00Z') });
  expect(windowOf(null, 5, last)).toEqual({ from: 5, renewsAt: null });
});
