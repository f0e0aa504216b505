import { type CredentialInput, readAuthorization, readSessionCookie } from '@kit/operation';
import { unauthenticated } from './refuse.ts';

/** The token of a credential (iam.md §3.2): `token` wins; then `Authorization`; the cookie only where that is absent. Two credentials are none. */
export function tokenOf(credential: CredentialInput): string | undefined {
  if (credential.token !== undefined) return credential.token;
  if (credential.headers === undefined) return undefined;
  const bearer = readAuthorization(credential.headers);
  if (bearer.kind === 'malformed') throw unauthenticated();
  if (bearer.kind === 'token') return bearer.token;
  const cookie = readSessionCookie(new Headers(credential.headers));
  if (cookie.kind === 'malformed') throw unauthenticated();
  return cookie.kind === 'token' ? cookie.token : undefined;
}
