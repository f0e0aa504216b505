import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

async function serve(fetch: (request: Request) => Promise<Response>): Promise<string> {
  const listening = await listen({ host: '127.0.0.1', port: 0, fetch });
  onTestFinished(() => listening.drain(0));
  return `http://127.0.0.1:${listening.port}/`;
}

const post = async (url: string, body: string): Promise<string> => (await fetch(url, { method: 'POST', body })).text();

async function read(request: Request): Promise<number[]> {
  const sizes: number[] = [];
  const reader = request.body!.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) sizes.push(next.value.byteLength);
  return sizes;
}

describe('product§1 the body of a request from the network', () => {
  test('is read as it comes, to the end', async () => {
    const url = await serve(async (request) => Response.json((await read(request)).reduce((a, b) => a + b, 0)));
    for (const size of [0, 1, 70_000, 3_000_000]) expect(Number(await post(url, 'x'.repeat(size)))).toBe(size);
  });

  test('is the same stream each time it is asked for, and used once it was read', async () => {
    const url = await serve(async (request) => {
      const before = request.bodyUsed;
      const isSame = request.body === request.body;
      await read(request);
      const again = await request.text().catch((error: unknown) => (error as Error).name);
      return Response.json([before, isSame, request.bodyUsed, again]);
    });
    expect(JSON.parse(await post(url, 'abc'))).toEqual([false, true, true, 'TypeError']);
  });

  test.each(['text', 'arrayBuffer', 'json'] as const)('may be read by %s() instead, or copied', async (method) => {
    const url = await serve(async (request) => {
      const copy = request.url.endsWith('?clone') ? request.clone() : request;
      const value: unknown = await copy[method]();
      return Response.json(value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value);
    });
    for (const way of ['', '?clone']) expect(JSON.stringify(JSON.parse(await post(url + way, '"abc"')))).toContain('abc');
  });

  test('is null where a verb has none', async () => {
    const url = await serve(async (request) => Response.json(request.body === null));
    expect(await (await fetch(url)).json()).toBe(true);
  });

  test('takes no more from the socket than is read', async () => {
    let taken = 0;
    const url = await serve(async (request) => {
      const reader = request.body!.getReader();
      taken = (await reader.read()).value?.byteLength ?? 0;
      await reader.cancel();
      return new Response('enough', { status: 413 });
    });
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(5_000_000) }).catch(() => undefined);
    expect([413, undefined]).toContain(response?.status);
    expect(taken).toBeLessThan(200_000);
  });

  test('fails where the client goes away in the middle, and the signal says so', async () => {
    const ended = Promise.withResolvers<unknown[]>();
    const url = await serve(async (request) => {
      const { signal } = request;
      const failure = await read(request).catch((error: unknown) => error);
      await new Promise((resolve) => (signal.aborted ? resolve(undefined) : signal.addEventListener('abort', resolve)));
      ended.resolve([failure instanceof Error, signal.aborted]);
      return new Response('');
    });
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc');
      setTimeout(() => socket.destroy(), 20);
    });
    expect(await ended.promise).toEqual([true, true]);
  });
});
