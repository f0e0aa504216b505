import { ApiError, type HeaderReader } from '@kit/operation';

/** `application/json`, with parameters or without. */
export const isJson = (contentType: string | null): boolean =>
  contentType !== null && contentType.split(';', 1)[0]!.trim().toLowerCase() === 'application/json';

/**
 * The browser boundary of iam.md §6, the same for every RPC service: a page of another origin can neither read nor
 * cause anything, and a bearer that cannot come from a form is spared the CSRF header.
 */
export function checkBoundary(headers: HeaderReader, o: { hasBearer: boolean; hasCookie: boolean; trustedOrigins: ReadonlySet<string> }): void {
  const origin = headers.get('origin');
  if (origin !== null && !o.trustedOrigins.has(origin))
    throw new ApiError('UNTRUSTED_ORIGIN', 403, 'this origin may not call the API: add it to trustedOrigins');
  const json = isJson(headers.get('content-type'));
  if (o.hasBearer) {
    if (!json) throw new ApiError('INVALID_REQUEST', 415, 'send content-type: application/json');
    return;
  }
  if (headers.get('x-better-iam') !== '1' || !json) throw new ApiError('CSRF_REJECTED', 403, 'send X-Better-IAM: 1 and content-type: application/json');
  if (o.hasCookie && origin === null) throw new ApiError('CSRF_REJECTED', 403, 'a call with the session cookie needs an Origin');
}
