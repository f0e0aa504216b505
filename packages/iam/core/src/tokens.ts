import { hash } from 'node:crypto';
import { crc32 } from './crc32.ts';

export const tokenKinds = ['ses', 'key', 'dlg', 'rol', 'sts', 'pat'] as const;
/** Prefix kinds of `iam.md` §3.1. A hint only: the stored row decides what a token is. */
export type TokenKind = (typeof tokenKinds)[number];

export type ParsedToken = { readonly ok: true; readonly kind: TokenKind } | { readonly ok: false; readonly kind?: TokenKind };

const prefixes: Readonly<Record<TokenKind, string>> = {
  ses: 'biam_ses_',
  key: 'biam_key_',
  dlg: 'biam_dlg_',
  rol: 'biam_rol_',
  sts: 'biam_sts_',
  pat: 'gbr_pat_',
};
const secretLength = 43;
const checksumLength = 6;
const tail = /^[A-Za-z0-9_-]{49}$/;

function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(Buffer.from(text, 'latin1')));
  return bytes.toString('base64url');
}

/** A token of 256 random bits (`iam.md` §3.1): 58 characters, a PAT 57. `randomBytes` has 32 bytes. */
export function mintToken(kind: TokenKind, randomBytes: Uint8Array): string {
  if (randomBytes.length !== 32) throw new RangeError('a token takes 32 random bytes');
  const unchecked = prefixes[kind] + Buffer.from(randomBytes).toString('base64url');
  return unchecked + checksumOf(unchecked);
}

/**
 * Form and checksum of a presented token (`iam.md` §3.1); `ok: false` is a 401 without a store look-up (§3.2 rule 4). The checksum finds typos and
 * is no security check, so it is compared in plain.
 */
export function parseToken(text: string): ParsedToken {
  const kind = tokenKinds.find((candidate) => text.startsWith(prefixes[candidate]));
  if (kind === undefined) return { ok: false };
  const prefix = prefixes[kind];
  if (!tail.test(text.slice(prefix.length))) return { ok: false, kind };
  const checkedLength = prefix.length + secretLength;
  const isIntact = text.slice(checkedLength, checkedLength + checksumLength) === checksumOf(text.slice(0, checkedLength));
  return { ok: isIntact, kind };
}

const anyToken = /(?:biam_[a-z]{3}|gbr_pat)_[A-Za-z0-9_-]{49}/g;

/** The text with whatever looks like a token taken out: for what somebody may have put in the wrong place and we keep or show (`iam.md` §3.1). */
export const withoutTokens = (text: string): string => text.replace(anyToken, '(hidden)');

/** SHA-256 of the whole token: the only form that is stored (`iam.md` §3.1). */
export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
