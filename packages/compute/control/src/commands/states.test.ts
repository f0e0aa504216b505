import { expect, test } from 'vitest';
import { type CommandTransition, isEnded, nextState } from './states.ts';

const states = ['held', 'queued', 'dispatched', 'running', 'succeeded', 'failed', 'unknown', 'expired', 'cancelled'] as const;
const transitions: CommandTransition[] = ['release', 'dispatch', 'start', 'succeed', 'fail', 'lose', 'expire', 'cancel'];

/** Written apart from the source, from the sheet's row. */
const edges = [
  'held release queued',
  'held expire expired',
  'held cancel cancelled',
  'queued dispatch dispatched',
  'queued expire expired',
  'queued cancel cancelled',
  'dispatched start running',
  'dispatched expire expired',
  'dispatched lose unknown',
  'running succeed succeeded',
  'running fail failed',
  'running lose unknown',
];

test('compute§14 a command takes the edges of the table and no other, and what ended stays', () => {
  const taken = states.flatMap((from) =>
    transitions.flatMap((transition) => {
      try {
        return [`${from} ${transition} ${nextState(from, transition)}`];
      } catch {
        return [];
      }
    }),
  );
  expect(taken.sort()).toEqual([...edges].sort());
  expect(states.filter(isEnded)).toEqual(['succeeded', 'failed', 'unknown', 'expired', 'cancelled']);
});
