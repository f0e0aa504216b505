import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { postJson } from './post-json.ts';

async function answeredBy<T>(listener: RequestListener, ask: (url: URL) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await ask(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/node/join`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refusalOf = (listener: RequestListener): Promise<unknown> => answeredBy(listener, (url) => postJson(url, {}).catch((error: unknown) => error));

test('compute§4.1 the data of an answer, or its refusal with the time to wait', async () => {
  const told: string[] = [];
  const data = await answeredBy(
    (request, response) =>
      request
        .on('data', (chunk) => told.push(`${request.method} ${request.url} ${request.headers['content-type']} ${chunk}`))
        .on('end', () => response.end('{"data":{"nodeId":"n"}}')),
    (url) => postJson(url, { name: 'ä' }),
  );
  expect([data, told]).toEqual([{ nodeId: 'n' }, ['POST /node/join application/json {"name":"ä"}']]);
  const refused = await refusalOf((_request, response) => response.writeHead(429).end('{"error":{"code":"RATE_LIMITED","message":"later","retryAfterMs":5}}'));
  expect(refused).toMatchObject({ code: 'RATE_LIMITED', status: 429, message: 'later', retryAfterMs: 5 });
});

test('compute§4.1 whatever else comes back is UNAVAILABLE', async () => {
  const answers: RequestListener[] = [
    (_request, response) => response.end('<html>'),
    (_request, response) => response.end('null'),
    (_request, response) => response.writeHead(502).end('{"error":"bad gateway"}'),
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (_request, response) => response.end(`{"data":"${'x'.repeat(limits.answerBytesMax)}"}`),
    (request) => request.socket.destroy(),
  ];
  for (const answer of answers) expect(await refusalOf(answer)).toMatchObject({ code: 'UNAVAILABLE' });
  expect(await postJson(new URL('http://127.0.0.1:1/'), {}).catch((error: unknown) => error)).toMatchObject({ code: 'UNAVAILABLE' });
});
