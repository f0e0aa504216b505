import { direct, type DirectAnswer, type Handler } from './direct.ts';

/** One call on its way: where to and with what. */
export interface Outgoing {
  /** Without a slash at the end. */
  origin: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal | undefined;
}

export interface Answered {
  status: number;
  requestId: string | undefined;
  /** Seconds, as in the field of that name. */
  retryAfter: string | undefined;
  text(): Promise<string>;
  /** Only of what came as a Response. */
  stream: ReadableStream<Uint8Array> | null;
}

/**
 * Straight into a handler of this process that takes it so (`mayBeDirect`), else as a Request. Throws at once for what no request can carry; what it
 * returns rejects with what `fetch` rejects with.
 */
export function departure(outgoing: Outgoing, o: { fetch: Handler; mayBeDirect: boolean }): () => Promise<Answered> {
  const enter = o.mayBeDirect ? o.fetch[direct] : undefined;
  if (enter) return async () => ofDirect(await enter(outgoing));
  const { origin, path, headers, body, signal } = outgoing;
  const request = new Request(origin + path, { method: 'POST', headers, body, redirect: 'error', cache: 'no-store', ...(signal ? { signal } : {}) });
  return async () => ofResponse(await o.fetch(request));
}

const ofDirect = ({ status, requestId, retryAfter, body }: DirectAnswer): Answered => ({
  status,
  requestId,
  retryAfter,
  text: async () => body,
  stream: null,
});

const ofResponse = (response: Response): Answered => ({
  status: response.status,
  requestId: response.headers.get('x-request-id') ?? undefined,
  retryAfter: response.headers.get('retry-after') ?? undefined,
  text: () => response.text(),
  stream: response.body,
});
