import { errorBody } from '@kit/operation';

const BASE = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** An answer before it becomes a Response, or is handed over as it is. */
export interface Answer {
  status: number;
  requestId: string;
  /** Seconds. */
  retryAfter?: string;
  body: string;
}

export const dataAnswer = (data: unknown, requestId: string): Answer => ({ status: 200, requestId, body: JSON.stringify({ data }) });

export function errorAnswer(error: unknown, requestId: string): Answer {
  const { status, body } = errorBody(error);
  const { retryAfterMs } = body.error;
  return { status, requestId, ...(retryAfterMs === undefined ? {} : { retryAfter: String(Math.ceil(retryAfterMs / 1000)) }), body: JSON.stringify(body) };
}

/** `extra`: the service's own headers, such as the session cookie. */
export function responseOf({ status, requestId, retryAfter, body }: Answer, extra?: Headers): Response {
  const plain: Record<string, string> = { ...BASE, 'x-request-id': requestId };
  if (retryAfter !== undefined) plain['retry-after'] = retryAfter;
  if (status === 405) plain.allow = 'POST';
  return new Response(body, { status, headers: extra === undefined ? plain : merged(extra, plain) });
}

function merged(extra: Headers, plain: Record<string, string>): Headers {
  const headers = new Headers(extra);
  for (const [name, value] of Object.entries(plain)) headers.set(name, value);
  return headers;
}

export const answerData = (data: unknown, requestId: string): Response => responseOf(dataAnswer(data, requestId));

export const answerError = (error: unknown, requestId: string): Response => responseOf(errorAnswer(error, requestId));

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
