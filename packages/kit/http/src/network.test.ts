import { expect, test } from 'vitest';
import { networkOf } from './network.ts';

test('product§8 an IPv6 address counts as its network of 64 bits, however it is written; any other address as itself', () => {
  const written = ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2:3::', '2001:db8:1:2:0:0:192.0.2.1', '2001:db8:1:2::1%eth0'];
  for (const address of written) expect(networkOf(address)).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  for (const other of ['192.0.2.1', 'anonymous', '', ':::', 'not:an:address']) expect(networkOf(other)).toBe(other);
});
