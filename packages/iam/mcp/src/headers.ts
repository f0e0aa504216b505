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
export function forwardedHeaders(from: Headers, token?: string): Headers {
  const kept = new Headers();
  for (const [name, value] of from) {
    if (name === 'accept' || name === 'content-type' || name === 'user-agent' || name.startsWith('mcp-')) kept.append(name, value);
    else if (name === 'x-request-id' && REQUEST_ID.test(value)) kept.append(name, value);
  }
  if (token !== undefined) kept.set('authorization', `Bearer ${token}`);
  return kept;
}
