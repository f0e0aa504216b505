import type { Arrival } from './arrival.ts';
import type { CallContext } from './context.ts';

type Facts = Pick<CallContext, 'token' | 'isCookie' | 'isBrowser' | 'clientIp' | 'userAgent'>;

/** A call that was let in. Its signal and the headers of its answer are made when they are asked for: few calls need either. */
export class Admitted implements CallContext {
  readonly token: string | undefined;
  readonly isCookie: boolean;
  readonly isBrowser: boolean;
  readonly requestId: string;
  readonly clientIp: string | undefined;
  readonly userAgent: string | undefined;
  readonly access: CallContext['access'];
  readonly #arrival: Arrival;
  #answerHeaders: Headers | undefined;

  constructor(arrival: Arrival, access: CallContext['access'], facts: Facts) {
    this.token = facts.token;
    this.isCookie = facts.isCookie;
    this.isBrowser = facts.isBrowser;
    this.requestId = arrival.requestId;
    this.clientIp = facts.clientIp;
    this.userAgent = facts.userAgent;
    this.access = access;
    this.#arrival = arrival;
  }

  get signal(): AbortSignal {
    return this.#arrival.signal();
  }

  get answerHeaders(): Headers {
    return (this.#answerHeaders ??= new Headers());
  }

  /** Undefined while nobody asked for them. */
  get answerHeadersIfAny(): Headers | undefined {
    return this.#answerHeaders;
  }
}
