export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [member: string]: JsonValue };

/** Names the language gives a meaning to: refused as keys wherever input is read (`iam.md` §9.1, §10.1, invariant 11). */
export function isReservedName(name: string): boolean {
  return name === '__proto__' || name === 'prototype' || name === 'constructor';
}

/** A record as JSON makes it; arrays, class instances and the like are not. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
