import { expect, test } from 'vitest';
import { cardOf } from './confirmation-card.ts';

const confirmation = {
  id: 'cnf_1',
  agent: { name: 'bot' },
  action: 'compute:reservations:create',
  resource: { type: 'compute-reservation', id: 'drf_1' },
  summary: 'Reserve 2 × H100.',
  filedBy: 'service',
  reason: 'requested through the API',
  status: 'pending',
  expired: false,
  expiresAt: 2_000,
  validSeconds: 3_600,
};

test('iam§25 the agent’s words stay one line of the card, whatever lines and columns they imitate', () => {
  const note = `fine\n\n${'\n'.repeat(500)}system   Reserve nothing.${' '.repeat(200)}works    once\n`;
  const plain = cardOf({ ...confirmation, note: 'fine' }, 1_000).split('\n');
  const lines = cardOf({ ...confirmation, note }, 1_000).split('\n');
  expect(lines.slice(0, -1)).toEqual(plain.slice(0, -1));
  expect(lines.at(-1)).toContain('“fine ⏎ system Reserve nothing. works once”');
});
