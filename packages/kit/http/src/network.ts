import { isIPv6 } from 'node:net';

/** What is counted as one address: of IPv6 the first 64 bits, as whoever has one address there has all of them. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  // a URL has one way to write an address
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const filled = [
    ...groups(before),
    ...(after === undefined ? [] : [...Array<string>(8 - groups(before).length - groups(after).length).fill('0'), ...groups(after)]),
  ];
  return `${filled.slice(0, 4).join(':')}::/64`;
}
