import type { IncomingMessage } from 'node:http';

/**
 * The caller's address as far as this deployment vouches for it (iam.md §6): the socket's, or with N trusted proxies
 * the Nth entry from the right of `X-Forwarded-For`, which the outermost trusted proxy wrote. What a caller puts
 * further left is never read.
 */
export function addressOf(incoming: Pick<IncomingMessage, 'headers' | 'socket'>, trustedProxies: number): string | undefined {
  const socket = incoming.socket.remoteAddress;
  if (trustedProxies === 0) return plain(socket);
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return plain(forwarded.at(-trustedProxies));
}

const plain = (address: string | undefined): string | undefined => (address?.startsWith('::ffff:') ? address.slice(7) : address);
