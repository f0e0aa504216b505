import type { JsonValue } from './json.ts';

/** What an approval is bound to (`iam.md` §17.4); `binding` is the resolver's, or by default the attributes. */
export interface ConfirmationBinding {
  readonly tenantId: string;
  readonly action: string;
  readonly type: string;
  readonly id: string;
  readonly binding: JsonValue;
}

/** RFC 8785 text of a JSON value; anything JSON cannot say exactly (not finite, lone surrogates, undefined, class instances) is `INVALID_INPUT`. */
export function canonicalJson(_value: unknown): string {
  throw new Error('not built yet');
}

/** Hex SHA-256 over `{ v: 1, tenantId, action, type, id, binding }` (`iam.md` §17.4). */
export function confirmationDigest(_input: ConfirmationBinding): string {
  throw new Error('not built yet');
}

/** The digest without the id: tells that a request has been asked before and admits nothing (`iam.md` §17.4). */
export function likeness(_input: Omit<ConfirmationBinding, 'id'>): string {
  throw new Error('not built yet');
}

/** Whether two hex digests are equal, in constant time. */
export function equalDigest(_one: string, _other: string): boolean {
  throw new Error('not built yet');
}
