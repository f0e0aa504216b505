import { expect, test } from 'vitest';
import { compileHolds, isHeld } from './holds.ts';

test('iam§17.3 an action is held when it matches any pattern of the delegation or of one above', () => {
  const holds = [compileHolds(['compute:reservations:create']), compileHolds(['compute:*:delete', '?pp:x'])];
  for (const action of ['compute:reservations:create', 'compute:volumes:delete', 'app:x']) expect(isHeld(holds, action)).toBe(true);
  for (const action of ['compute:reservations:createx', 'compute:pools:read', 'pp:x']) expect(isHeld(holds, action)).toBe(false);
  expect(isHeld([], 'compute:pools:read')).toBe(false);
  expect(isHeld([compileHolds(['*'])], 'compute:pools:read')).toBe(true);
});

test.each([[['']], [[':a']], [['a b']], [['a/b']], [['ä']], [['a\n']], [['a'.repeat(129)]], [[7]], ['compute:*'], [null], [Array(51).fill('a')]])(
  'iam§14.2 %j is no confirm list',
  (list) => {
    expect(() => compileHolds(list)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  },
);
test('iam§14.2 fifty patterns of 128 characters are one', () => expect(compileHolds(Array(50).fill('a'.repeat(128)))).toHaveLength(50));
