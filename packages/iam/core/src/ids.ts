/** Id prefixes of `iam.md` §2, and `rst_` for codes of §3.5. */
export type IdPrefix = 'tnt_' | 'usr_' | 'svc_' | 'agent_' | 'grp_' | 'role_' | 'pol_' | 'bnd_' | 'key_' | 'ses_' | 'dlg_' | 'cnf_' | 'dep_' | 'rst_' | 'aud_';

const body = /^[A-Za-z0-9_-]{22}$/;

/** An id of 128 random bits (`iam.md` §2): `prefix` and 22 base64url characters. `randomBytes` has 16 bytes. */
export function mintId<Prefix extends IdPrefix>(prefix: Prefix, randomBytes: Uint8Array): `${Prefix}${string}` {
  if (randomBytes.length !== 16) throw new RangeError('an id takes 16 random bytes');
  return `${prefix}${Buffer.from(randomBytes).toString('base64url')}`;
}

/** Whether `text` has the form of an id with this prefix (`iam.md` §2); says nothing about whether it exists. */
export function isId(prefix: IdPrefix, text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(prefix) && body.test(text.slice(prefix.length));
}
