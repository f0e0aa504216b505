import { expect, test } from 'vitest';
import { addressOf } from './client-address.ts';

const incoming = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as Parameters<typeof addressOf>[0];

test.each([
  [0, '10.0.0.9', '1.2.3.4', '10.0.0.9'],
  [0, '::ffff:10.0.0.9', undefined, '10.0.0.9'],
  [1, '10.0.0.9', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  [2, '10.0.0.9', '6.6.6.6, 1.2.3.4, 10.0.0.8', '1.2.3.4'],
  [1, '10.0.0.9', undefined, undefined],
  [3, '10.0.0.9', '1.2.3.4', undefined],
])('iam§6 with %i trusted proxies, a caller at %s saying %s is at %s', (hops, socket, forwarded, expected) => {
  expect(addressOf(incoming(socket, forwarded), hops)).toBe(expected);
});
