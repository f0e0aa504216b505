import { errorBody } from '@kit/operation';

const BASE = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

function headersOf(requestId: string, extra: Headers | undefined): Record<string, string> | Headers {
  const plain: Record<string, string> = { ...BASE, 'x-request-id': requestId };
  if (!extra || [...extra.keys()].length === 0) return plain;
  const headers = new Headers(extra);
  for (const [name, value] of Object.entries(plain)) headers.set(name, value);
  return headers;
}

export const answerData = (data: unknown, requestId: string, extra?: Headers): Response =>
  new Response(JSON.stringify({ data }), { status: 200, headers: headersOf(requestId, extra) });

export function answerError(error: unknown, requestId: string): Response {
  const { status, body } = errorBody(error);
  const headers: Record<string, string> = { ...BASE, 'x-request-id': requestId };
  if (body.error.retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(body.error.retryAfterMs / 1000));
  if (status === 405) headers.allow = 'POST';
  return new Response(JSON.stringify(body), { status, headers });
}

const PING_MS = 15_000;

/** Server-sent events from an async iterable; a comment each 15 s keeps proxies from closing a quiet stream. */
export function answerStream(events: AsyncIterable<unknown>, requestId: string): Response {
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let ping: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(': open\n\n'));
      ping = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), PING_MS);
      ping.unref();
    },
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done) {
          clearInterval(ping);
          controller.close();
        } else controller.enqueue(encoder.encode(`data: ${JSON.stringify(next.value)}\n\n`));
      } catch (error) {
        clearInterval(ping);
        controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify(errorBody(error).body)}\n\n`));
        controller.close();
      }
    },
    async cancel() {
      clearInterval(ping);
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { ...BASE, 'content-type': 'text/event-stream', 'x-request-id': requestId } });
}
