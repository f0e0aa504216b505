/** What a caller presents (iam.md §3.2). `token` wins over `headers`. */
export interface CredentialInput {
  token?: string;
  headers?: Headers | Record<string, string>;
}

/** What is read of headers, whatever holds them. */
export type HeaderReader = Pick<Headers, 'get'>;

const isReader = (headers: HeaderReader | Record<string, string>): headers is HeaderReader => typeof headers.get === 'function';

export type PresentedCredential = { kind: 'none' } | { kind: 'token'; token: string } | { kind: 'malformed' };

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]{1,4096})$/i;

/**
 * The one reader of `Authorization` (iam.md §3.2 rules 1–3). Fetch folds repeated fields into one value with a comma,
 * and no token has a comma, so a repeated field is refused here as well.
 */
export function readAuthorization(headers: HeaderReader | Record<string, string>): PresentedCredential {
  const value = isReader(headers) ? headers.get('authorization') : ownHeader(headers, 'authorization');
  if (value === null || value === undefined) return { kind: 'none' };
  const match = BEARER.exec(value);
  return match?.[1] === undefined ? { kind: 'malformed' } : { kind: 'token', token: match[1] };
}

function ownHeader(headers: Record<string, string>, name: string): string | undefined {
  const found = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  // two spellings of one field are two credentials: refuse, as a comma does
  return found.length > 1 ? ',' : found[0] === undefined ? undefined : headers[found[0]];
}

export const SESSION_COOKIE = 'better-iam.session';

/**
 * The console's cookie. Two of them are refused like two fields. On https only the `__Host-` one counts: a sibling
 * subdomain can set the other, to plant a session of its own or to spoil the real one.
 */
export function readSessionCookie(headers: HeaderReader, o: { isSecure: boolean } = { isSecure: false }): PresentedCredential {
  const found: string[] = [];
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at > 0 && (name === `__Host-${SESSION_COOKIE}` || (!o.isSecure && name === SESSION_COOKIE))) found.push(part.slice(at + 1).trim());
  }
  if (found.length === 0) return { kind: 'none' };
  const token = found[0];
  return found.length === 1 && token !== undefined && /^[A-Za-z0-9._~+/=-]{1,4096}$/.test(token) ? { kind: 'token', token } : { kind: 'malformed' };
}
