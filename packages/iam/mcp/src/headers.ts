import { type PresentedCredential, readAuthorization } from '@kit/operation';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const PAT_PREFIX = 'gbr_pat_';

/**
 * The one credential of a request (iam.md §3.2, §19.6). `x-api-key` counts only where there is no `Authorization` at all,
 * cookies never: gate and compute must not see two different callers. A PAT is refused like an unknown token.
 */
export function presented(headers: Headers): PresentedCredential {
  const key = headers.has('authorization') ? null : headers.get('x-api-key');
  const found = key === null ? readAuthorization(headers) : readAuthorization({ authorization: `Bearer ${key}` });
  return found.kind === 'token' && found.token.startsWith(PAT_PREFIX) ? { kind: 'malformed' } : found;
}

/**
 * What goes on (iam.md §19.6): an allow-list, so that no forwarding header, cookie or second credential that a proxy
 * somewhere invents gets through. Without `token` there is no `Authorization` either.
 */
export class ForwardedHeaders {
  readonly #from: Headers;
  readonly #token: string | undefined;
  #whole: Headers | undefined;

  constructor(from: Headers, token?: string) {
    this.#from = from;
    this.#token = token;
  }

  get(name: string): string | null {
    if (this.#whole) return this.#whole.get(name);
    const lower = name.toLowerCase();
    if (lower === 'authorization') return this.#token === undefined ? null : `Bearer ${this.#token}`;
    const value = this.#from.get(lower);
    return value !== null && goesOn(lower, value) ? value : null;
  }

  /** All of them, made when somebody wants them: most calls need two or three. */
  whole(): Headers {
    if (this.#whole) return this.#whole;
    const kept = new Headers();
    for (const [name, value] of this.#from) if (goesOn(name, value)) kept.append(name, value);
    if (this.#token !== undefined) kept.set('authorization', `Bearer ${this.#token}`);
    return (this.#whole = kept);
  }
}

const goesOn = (name: string, value: string): boolean =>
  name === 'accept' || name === 'content-type' || name === 'user-agent' || name.startsWith('mcp-') || (name === 'x-request-id' && REQUEST_ID.test(value));
