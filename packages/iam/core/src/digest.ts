import { hash, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import { IamError } from './errors.ts';
import { isPlainObject, isReservedName, type JsonValue } from './json.ts';
import { limits } from './limits.ts';

/** What an approval is bound to (`iam.md` §17.4); `binding` is the resolver's, or by default the attributes. */
export interface ConfirmationBinding {
  readonly tenantId: string;
  readonly action: string;
  readonly type: string;
  readonly id: string;
  readonly binding: JsonValue;
}

/** RFC 8785 text of a JSON value; anything JSON cannot say exactly (not finite, lone surrogates, undefined, class instances) is `INVALID_INPUT`. */
export function canonicalJson(value: unknown): string {
  requireJson(value, 0);
  return canonicalize(value) ?? refuse();
}

/** Hex SHA-256 over `{ v: 1, tenantId, action, type, id, binding }` (`iam.md` §17.4). */
export function confirmationDigest({ tenantId, action, type, id, binding }: ConfirmationBinding): string {
  return sha256Hex(canonicalJson({ v: 1, tenantId, action, type, id, binding }));
}

/** The digest without the id: tells that a request has been asked before and admits nothing (`iam.md` §17.4). */
export function likeness({ tenantId, action, type, binding }: Omit<ConfirmationBinding, 'id'>): string {
  return sha256Hex(canonicalJson({ v: 1, tenantId, action, type, binding }));
}

/** Whether two hex digests are equal, in constant time. */
export function equalDigest(one: string, other: string): boolean {
  const a = Buffer.from(one, 'utf8');
  const b = Buffer.from(other, 'utf8');
  return a.length === b.length && timingSafeEqual(a, b);
}

export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The library drops what JSON has no word for and calls `toJSON`; two different things would then have one digest. */
function requireJson(value: unknown, depth: number): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : refuse();
  if (typeof value === 'string') return value.isWellFormed() ? undefined : refuse();
  if (depth >= limits.jsonDepthMax) refuse();
  if (Array.isArray(value)) {
    // By index, so that a hole in the list is seen.
    for (let index = 0; index < value.length; index++) requireJson(value[index], depth + 1);
    return;
  }
  if (!isPlainObject(value)) refuse();
  for (const name of Object.keys(value)) {
    if (isReservedName(name) || !name.isWellFormed()) refuse();
    requireJson(value[name], depth + 1);
  }
}

function refuse(): never {
  throw new IamError('INVALID_INPUT', 'this value has no canonical JSON form');
}
