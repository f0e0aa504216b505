/** An address as 16-bit words: two for IPv4, eight for IPv6. An IPv4-mapped IPv6 address is its IPv4 form (`iam.md` §10.4). */
export type Address = readonly number[];

export interface Network {
  readonly base: Address;
  readonly prefixLength: number;
}

const wordText = /^[0-9A-Fa-f]{1,4}$/;
const prefixText = /^(?:0|[1-9]\d{0,2})$/;

/** An IPv4 or IPv6 address; undefined for anything else, zones and leading zeros included. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  if (!text.includes(':')) return parseIpv4(text);
  const words = parseIpv6(text);
  return words !== undefined && isMapped(words) ? words.slice(6) : words;
}

/** A single address or a CIDR block; bits beyond the prefix are ignored. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) {
    const base = parseAddress(text);
    return base && { base, prefixLength: base.length * 16 };
  }
  const lengthText = text.slice(slash + 1);
  const addressText = text.slice(0, slash);
  if (addressText.length > 45 || !prefixText.test(lengthText)) return undefined;
  const written = addressText.includes(':') ? parseIpv6(addressText) : parseIpv4(addressText);
  const prefixLength = Number(lengthText);
  if (written === undefined || prefixLength > written.length * 16) return undefined;
  // A shorter prefix over a mapped base is a block of IPv6, which no IPv4 address is in.
  return written.length === 8 && isMapped(written) && prefixLength >= 96
    ? { base: written.slice(6), prefixLength: prefixLength - 96 }
    : { base: written, prefixLength };
}

export function isInNetwork(address: Address, network: Network): boolean {
  if (address.length !== network.base.length) return false;
  for (let index = 0, bitsLeft = network.prefixLength; bitsLeft > 0; index++, bitsLeft -= 16) {
    const ignoredBits = Math.max(0, 16 - bitsLeft);
    if ((address[index] ?? 0) >> ignoredBits !== (network.base[index] ?? 0) >> ignoredBits) return false;
  }
  return true;
}

/** Read unit by unit: this one is on the path of every decision with a condition on the caller's address. */
function parseIpv4(text: string): number[] | undefined {
  let value = 0;
  let byte = -1;
  let dots = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit >= 0 && digit <= 9) {
      if (byte === 0) return undefined; // A leading zero: some read it as octal.
      byte = byte < 0 ? digit : byte * 10 + digit;
      if (byte > 255) return undefined;
    } else if (text[index] === '.' && byte >= 0 && dots < 3) {
      value = value * 256 + byte;
      byte = -1;
      dots++;
    } else return undefined;
  }
  if (dots !== 3 || byte < 0) return undefined;
  value = value * 256 + byte;
  return [Math.floor(value / 65_536), value % 65_536];
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseWords(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseWords(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1) return missing === 0 ? head : undefined;
  return missing >= 1 ? [...head, ...Array.from({ length: missing }, () => 0), ...tail] : undefined;
}

/** Words between colons; the last of them may be written as an IPv4 address where the text ends. */
function parseWords(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const words: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (isEnd && index === parts.length - 1 && part.includes('.')) {
      const ipv4 = parseIpv4(part);
      if (ipv4 === undefined) return undefined;
      words.push(...ipv4);
    } else if (wordText.test(part)) words.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return words;
}

function isMapped(words: Address): boolean {
  return words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0);
}
