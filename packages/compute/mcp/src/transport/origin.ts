import type { HeaderReader } from '@better-compute/client';

/** The request a message came with, as far as calls read it. A gate in the same process hands it over without building one. */
export interface Origin {
  headers: HeaderReader;
  readonly signal: AbortSignal;
  /** All of it, for those who are given it by contract. */
  whole(): Request;
}

/** The signal is asked for when somebody waits: few calls do, and one is dear. */
export class RequestOrigin implements Origin {
  readonly headers: HeaderReader;
  readonly #request: Request;

  constructor(request: Request) {
    this.headers = request.headers;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  whole(): Request {
    return this.#request;
  }
}
