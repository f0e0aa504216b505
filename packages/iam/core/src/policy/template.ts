import { isReservedName } from '../json.ts';
import { limits } from '../limits.ts';
import type { Context } from './context.ts';

/** Text with variables in it: literal, key, literal, key, …, literal (`iam.md` §10.3). A single element is plain text. */
export type Template = readonly string[];

const keySegment = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Whether `key` may name a context value: at least two dotted segments, `principal.id`. */
export function isContextKey(key: string): boolean {
  if (key.length > limits.contextKeyLengthMax) return false;
  const segments = key.split('.');
  return segments.length >= 2 && segments.every((segment) => keySegment.test(segment) && !isReservedName(segment));
}

/** Splits text at its variables; undefined when a `${` begins none. There is no escape, so a literal `${` cannot be said. */
export function parseTemplate(text: string): Template | undefined {
  const parts: string[] = [];
  let at = 0;
  for (let open = text.indexOf('${'); open >= 0; open = text.indexOf('${', at)) {
    const close = text.indexOf('}', open);
    if (close < 0) return undefined;
    const key = text.slice(open + 2, close);
    if (!isContextKey(key)) return undefined;
    parts.push(text.slice(at, open), key);
    at = close + 1;
  }
  parts.push(text.slice(at));
  return parts;
}

/** The value a variable stands for. Undefined when there is none or it is no text: then the pattern or value it is in matches nothing. */
export function variableValue(key: string, context: Context): string | undefined {
  const value = context.get(key);
  return typeof value === 'string' && value.isWellFormed() ? value : undefined;
}

/** The text with its variables replaced, literally and once; undefined when one is unresolved. */
export function resolveTemplate(template: Template, context: Context): string | undefined {
  let text = template[0] ?? '';
  for (let index = 1; index < template.length; index += 2) {
    const value = variableValue(template[index] ?? '', context);
    if (value === undefined) return undefined;
    text += value + (template[index + 1] ?? '');
  }
  return text;
}
