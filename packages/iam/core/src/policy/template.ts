import type { Context } from './context.ts';
import { isContextKey } from './context-key.ts';
import { type ContextReader, contextReader } from './context-reader.ts';

/** Text with variables in it: literal, key, literal, key, …, literal (`iam.md` §10.3). A single element is plain text. */
export type Template = readonly string[];

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

/** A template ready to be filled in; undefined when a variable is unresolved: then the pattern or value it is in matches nothing. */
export type TextReader = (context: Context) => string | undefined;

/** Variables are replaced literally and once. `fold` is applied to what they bring; the literals are as `fold` left them. */
export function compileTemplate(template: Template, fold?: (text: string) => string): TextReader {
  const [first = ''] = template;
  if (template.length === 1) return () => first;
  const variables: { read: ContextReader; literal: string }[] = [];
  for (let index = 1; index < template.length; index += 2) variables.push({ read: contextReader(template[index] ?? ''), literal: template[index + 1] ?? '' });
  return (context) => {
    let text = first;
    for (const { read, literal } of variables) {
      const value = read(context);
      // No text, or half a character: nothing an author can have meant.
      if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
      text += (fold === undefined ? value : fold(value)) + literal;
    }
    return text;
  };
}
