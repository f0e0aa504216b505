import { expect, test } from 'vitest';
import { createSeal } from './sealed.ts';

test('iam§3.4 a factor’s secret at rest opens for its owner, purpose and deployment alone, and shows when it was touched', () => {
  const plain = Buffer.from('twenty bytes of secr');
  const { seal, open } = createSeal('a secret of at least thirty-two characters', 'factor');
  const sealed = seal('usr_a', plain);
  expect(open('usr_a', sealed)).toEqual(plain);
  expect(sealed.includes(plain)).toBe(false);
  expect(seal('usr_a', plain)).not.toEqual(sealed);
  expect(() => open('usr_b', sealed)).toThrow();
  expect(() => createSeal('a secret of at least thirty-two characters', 'other').open('usr_a', sealed)).toThrow();
  expect(() => createSeal('another secret of at least thirty-two', 'factor').open('usr_a', sealed)).toThrow();
  for (const at of [0, 12, sealed.length - 1]) {
    const touched = Buffer.from(sealed);
    touched[at]! ^= 1;
    expect(() => open('usr_a', touched)).toThrow();
  }
});
