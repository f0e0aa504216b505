import { expect, test } from 'vitest';
import { isEnded, nextState, type ReservationTransition } from './states.ts';

/** Written apart from the source, from the sheet's table. */
const table = [
  'pending schedule scheduled',
  'pending place active',
  'pending cancel cancelled',
  'pending giveUp failed',
  'scheduled start active',
  'scheduled cancel cancelled',
  'scheduled preempt preempted',
  'scheduled lose failed',
  'active release released',
  'active expire expired',
  'active preempt preempted',
  'active lose failed',
];
const states = ['pending', 'scheduled', 'active', 'released', 'cancelled', 'expired', 'preempted', 'failed'] as const;
const transitions: ReservationTransition[] = ['place', 'schedule', 'cancel', 'giveUp', 'start', 'preempt', 'lose', 'release', 'expire'];

test('compute§14 a reservation has exactly the edges of the table, and every other one is a fault', () => {
  const found: string[] = [];
  for (const from of states)
    for (const transition of transitions) {
      try {
        found.push(`${from} ${transition} ${nextState(from, transition)}`);
      } catch {
        // no such edge
      }
    }
  expect(found.sort()).toEqual([...table].sort());
  expect(states.filter(isEnded)).toEqual(['released', 'cancelled', 'expired', 'preempted', 'failed']);
});
