import { expect, test } from 'vitest';
import { moved, type NodeTransition, wished } from './states.ts';

/** Written apart from the source, from the sheet's row. */
const table = [
  'joining hello ready',
  'joining remove removed',
  'ready hello ready',
  'ready drain draining',
  'ready silent offline',
  'ready quarantine quarantined',
  'ready remove removed',
  'draining hello draining',
  'draining undrain ready',
  'draining silent offline',
  'draining quarantine quarantined',
  'draining remove removed',
  'quarantined hello quarantined',
  'quarantined undrain ready',
  'quarantined silent offline',
  'quarantined remove removed',
  'offline hello ready',
  'offline remove removed',
];
const states = ['joining', 'ready', 'draining', 'offline', 'quarantined', 'removed'] as const;
const transitions: NodeTransition[] = ['hello', 'drain', 'undrain', 'silent', 'quarantine', 'remove'];

test('compute§14 a node has exactly the edges of the table', () => {
  const found = states.flatMap((state) =>
    transitions.flatMap((transition) => {
      const to = moved({ state, returnsTo: null }, transition)?.state;
      return to === undefined ? [] : [`${state} ${transition} ${to}`];
    }),
  );
  expect(found.sort()).toEqual([...table].sort());
});

test('compute§14 what an operator wishes of an offline node holds when it comes back', () => {
  const away = moved({ state: 'ready', returnsTo: null }, 'silent')!;
  expect(wished(away, 'drain')).toEqual({ state: 'offline', returnsTo: 'draining' });
  expect(moved(wished(away, 'drain')!, 'hello')).toEqual({ state: 'draining', returnsTo: null });
  expect(wished({ state: 'removed', returnsTo: null }, 'drain')).toBeUndefined();
});
