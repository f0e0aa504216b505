/** What a request presents as credential: a token, nothing, or something that must be refused with 401. */
export type PresentedCredential = { readonly token: string } | { readonly none: true } | { readonly refused: true };

// Constant, anchored and without nested repetition: linear. Fetch joins repeated fields with ", ", so a second field shows as a comma, which no token has.
const bearer = /^bearer +([A-Za-z0-9._~+/=-]{1,4096})$/i;

/**
 * Rules 1 to 3 of `iam.md` §3.2 on Fetch headers: no field is no credential; more than one field, another scheme, or anything but one well-formed
 * token is refused. Whether the token is one of ours is `parseToken`'s to say. Never looks at cookies: where the surface allows them, the caller
 * does so on `none` alone (rule 5).
 */
export function readAuthorization(headers: Pick<Headers, 'get'>): PresentedCredential {
  const value = headers.get('authorization');
  if (value === null) return { none: true };
  const token = bearer.exec(value)?.[1];
  return token === undefined ? { refused: true } : { token };
}
