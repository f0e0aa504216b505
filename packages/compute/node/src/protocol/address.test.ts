import { expect, test } from 'vitest';
import { connectUrl, joinUrl } from './address.ts';

test('compute§4.1 https everywhere, http on loopback alone', () => {
  expect([joinUrl('https://c.example.com').href, connectUrl('https://c.example.com/').href]).toEqual([
    'https://c.example.com/node/join',
    'wss://c.example.com/node/connect',
  ]);
  expect(['http://127.0.0.1:7070', 'http://localhost:1', 'http://[::1]:7070'].map((url) => connectUrl(url).href)).toEqual([
    'ws://127.0.0.1:7070/node/connect',
    'ws://localhost:1/node/connect',
    'ws://[::1]:7070/node/connect',
  ]);
  for (const url of ['http://c.example.com', 'http://127.0.0.1.example.com', 'ftp://127.0.0.1', 'c.example.com', '', 'file:///etc/passwd']) {
    expect(() => connectUrl(url)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  }
});
