import type { ForwardedHeaders } from './headers.ts';
import type { Message } from './message.ts';

/** A message that the gate has read and decided on, and what goes on with it. */
export class McpArrived {
  readonly message: Message;
  /** The body as it came. */
  readonly bodyBytes: number;
  /** Cleaned (iam.md §19.6). */
  readonly headers: ForwardedHeaders;
  readonly #request: Request;

  constructor(request: Request, read: { message: Message; bodyBytes: number }, headers: ForwardedHeaders) {
    this.message = read.message;
    this.bodyBytes = read.bodyBytes;
    this.headers = headers;
    this.#request = request;
  }

  /** Of the request it came with. Made when it is asked for: most calls never wait, and one costs more than all else here. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** Written anew from the value that was decided: no reader behind the gate can find another call in it. */
  whole(): Request {
    return rebuilt(this.#request, { headers: this.headers.whole(), body: JSON.stringify(this.message) });
  }
}

/** Ends with the request it came from. */
export const rebuilt = (request: Request, init: { headers: Headers; body?: string }): Request =>
  Object.defineProperty(new Request(request.url, { method: request.method, ...init }), 'signal', { configurable: true, get: () => request.signal });
