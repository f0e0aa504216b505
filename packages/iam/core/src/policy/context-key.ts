import { isReservedName } from '../json.ts';
import { limits } from '../limits.ts';

const keySegment = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Whether `key` may name a context value: at least two dotted segments, `principal.id`. */
export function isContextKey(key: string): boolean {
  if (key.length > limits.contextKeyLengthMax) return false;
  const segments = key.split('.');
  return segments.length >= 2 && segments.every((segment) => keySegment.test(segment) && !isReservedName(segment));
}
