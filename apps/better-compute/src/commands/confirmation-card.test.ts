import { expect, test } from 'vitest';
import { cardOf } from './confirmation-card.ts';

const confirmation = {
  id: 'cnf_1',
  agent: { name: 'bot' },
  action: 'compute:reservations:create',
  resource: { type: 'compute-reservation', id: 'drf_1' },
  summary: 'Reserve 2 × H100.',
  facts: [{ label: 'Cost', value: '12 GPU-hours' }],
  filedBy: 'service',
  reason: 'requested through the API',
  note: 'please',
  status: 'pending',
  expired: false,
  expiresAt: 2_000,
  validSeconds: 3_600,
};

test('iam§17.8 what is left stands after the system’s statement and before the action, marked as of now', () => {
  const budgets = [{ text: "The person's budget of 10 GPU-hours a day has 4 left now.\u0007" }];
  const card = cardOf(confirmation, 1_000, { at: 1_000, budgets, fitsNow: false });
  const order = [
    'bot',
    'Reserve 2 × H100.',
    'Cost',
    'now',
    'has 4 left now.�',
    'not part of what is approved',
    'no room for it now',
    'action',
    'works',
    'please',
  ];
  const places = order.map((part) => card.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('iam§17.8 without anything to tell the card has no such line', () => {
  for (const left of [undefined, { at: 1_000, budgets: [], fitsNow: null }])
    expect(cardOf(confirmation, 1_000, left)).not.toContain('not part of what is approved');
});
