import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

/** Sends raw bytes and answers the status line: what Fetch would never send. */
const raw = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      socket.end();
    });
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
  });

test('iam§25 two Authorization or two Host fields are refused before any service sees them', async () => {
  let calls = 0;
  const listening = await listen({ host: '127.0.0.1', port: 0, fetch: () => (calls++, new Response('ok')) });
  const base = 'POST / HTTP/1.1\r\nContent-Length: 0\r\n';
  expect(await raw(listening.port, `${base}Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`)).toContain('401');
  expect(await raw(listening.port, `${base}Host: a\r\nHost: b\r\n\r\n`)).toMatch(/40[01]/);
  expect(calls).toBe(0);
  expect(await raw(listening.port, `${base}Host: a\r\nAuthorization: Bearer a\r\n\r\n`)).toContain('200');
  await listening.drain(0);
});

test('product§8 a handler that throws or answers a bad header value ends its request, never the process', async () => {
  const listening = await listen({
    host: '127.0.0.1',
    port: 0,
    fetch: (request) => (request.url.endsWith('/throw') ? Promise.reject(new Error('x')) : new Response('', { headers: { 'x-name': 'ok' }, status: 200 })),
  });
  const response = await fetch(`http://127.0.0.1:${listening.port}/throw`).catch(() => ({ status: 500 }));
  expect(response.status).toBe(500);
  expect((await fetch(`http://127.0.0.1:${listening.port}/`)).status).toBe(200);
  await listening.drain(0);
});

test('product§8 a drain lets what is in flight finish and takes nothing new', async () => {
  let finish: () => void = () => {};
  let arrived: () => void = () => {};
  const inside = new Promise<void>((resolve) => (arrived = resolve));
  const listening = await listen({
    host: '127.0.0.1',
    port: 0,
    fetch: async () => {
      arrived();
      await new Promise<void>((resolve) => (finish = resolve));
      return new Response('done');
    },
  });
  const slow = fetch(`http://127.0.0.1:${listening.port}/`);
  await inside;
  const drained = listening.drain(5_000);
  await expect(fetch(`http://127.0.0.1:${listening.port}/`)).rejects.toThrow();
  finish();
  expect(await (await slow).text()).toBe('done');
  await drained;
});
