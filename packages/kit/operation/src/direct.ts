/** What a client would put into a Request. Names of headers are in lower case. */
export interface DirectCall {
  /** From the origin on, such as `/api/compute/pools/list`. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** JSON text. */
  body: string;
  signal: AbortSignal | undefined;
}

export interface DirectAnswer {
  status: number;
  requestId: string;
  /** Seconds, as in the field of that name. */
  retryAfter?: string;
  body: string;
}

/** Shared by every copy of this package that a process holds. */
export const direct: unique symbol = Symbol.for('@kit/operation/direct') as never;

/**
 * A service's HTTP handler. One made by `createHandler` also takes calls of its own process without the Request and Response around them, which cost more
 * than a small call; from the headers on both ways are one. A handler without it (a test's spy, another's wrapper) gets a Request as from the network.
 */
export interface Handler {
  (request: Request): Promise<Response>;
  readonly [direct]?: (call: DirectCall) => Promise<DirectAnswer>;
}
