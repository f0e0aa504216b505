import { invalidInput } from '../refusal.ts';

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** The address of a plane: https, or http on loopback. Throws INVALID_INPUT. */
function planeUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidInput(`${text} is not the address of a server, such as https://compute.example.com`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw invalidInput(`${text}: only https, or http on loopback: the token would be readable on its way`);
  return url;
}

export const joinUrl = (text: string): URL => new URL('/node/join', planeUrl(text));

export function connectUrl(text: string): URL {
  const url = new URL('/node/connect', planeUrl(text));
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}
