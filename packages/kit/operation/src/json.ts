/**
 * The one JSON reader of every surface: gate, IAM, compute, sessions (iam.md §6).
 *
 * Two readers that disagree about one document are two different requests, so whatever parsers are known to read
 * differently is refused here: bytes that are no UTF-8, a byte order mark, a member twice in one object, half a
 * surrogate pair, NUL, a number beyond a double, and nesting deeper than 64.
 *
 * `JSON.parse` makes the value, so that `__proto__` is data (an own property). Around it run two cheap passes: one over
 * the text (depth, escapes, number of members) and one over the value (number of members left). A member written twice
 * leaves one behind, so the two numbers differ exactly when some name was repeated, however it was spelt.
 */

/** Containers inside one another; `[]` is depth 1 (iam.md §23). */
export const JSON_DEPTH_MAX = 64;

export type JsonReason = 'utf8' | 'bom' | 'depth' | 'duplicate' | 'surrogate' | 'nul' | 'number' | 'syntax';

/** Why a document was refused. `at` is the offset in the decoded text, in UTF-16 units, where it is known. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly reason: JsonReason;
  readonly at: number | undefined;

  constructor(reason: JsonReason, at?: number) {
    super(sentences[reason]);
    this.reason = reason;
    this.at = at;
  }
}

const sentences: Readonly<Record<JsonReason, string>> = {
  utf8: 'The body is not valid UTF-8.',
  bom: 'The body begins with a byte order mark.',
  depth: 'The body is nested too deeply.',
  duplicate: 'The body has a member twice in one object.',
  surrogate: 'The body has half a surrogate pair in a string.',
  nul: 'The body has a NUL character in a string.',
  number: 'The body has a number too large to read.',
  syntax: 'The body is not valid JSON.',
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads one JSON document. Throws {@link JsonError}; never anything else. */
export function readJson(bytes: Uint8Array, o?: { depthMax?: number }): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw new JsonError('bom', 0);
  return readJsonText(decode(bytes), o);
}

/** The same for text that was never bytes. */
export function readJsonText(text: string, o?: { depthMax?: number }): unknown {
  // Depth first: a hostile depth is refused before anything is built for it.
  const members = countMembers(text, o?.depthMax ?? JSON_DEPTH_MAX);
  checkEscapes(text);
  const value = parse(text);
  if (countKept(value) !== members) throw new JsonError('duplicate', findRepeated(text));
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonError('utf8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const nul = text.indexOf('\0');
    throw nul === -1 ? new JsonError('syntax') : new JsonError('nul', nul);
  }
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Members written in the text. Tolerates text that is no JSON: that is for `JSON.parse` to refuse. */
function countMembers(text: string, depthMax: number): number {
  let depth = 0;
  let members = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i = endOfString(text, i);
      if (i === -1) break;
    } else if (c === COLON) members++;
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > depthMax) throw new JsonError('depth', i);
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return members;
}

/** Offset of the quote that closes the string opened at `start`; -1 when none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  // An odd run of backslashes escapes the quote. Runs before two quotes never overlap, so this stays linear.
  while (end !== -1 && text.charCodeAt(end - 1) === BACKSLASH) {
    let run = end - 1;
    while (text.charCodeAt(run) === BACKSLASH) run--;
    if ((end - 1 - run) % 2 === 0) break;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

/** Text from strict UTF-8 has whole pairs and `JSON.parse` refuses a raw NUL: only escapes can bring in either. */
function checkEscapes(text: string): void {
  for (let i = text.indexOf('\\'); i !== -1; i = text.indexOf('\\', i)) {
    const unit = escapedUnit(text, i);
    if (unit === undefined) {
      i += 2;
      continue;
    }
    if (unit === 0) throw new JsonError('nul', i);
    if ((unit & 0xfc00) === 0xd800) {
      const low = escapedUnit(text, i + 6);
      if (low === undefined || (low & 0xfc00) !== 0xdc00) throw new JsonError('surrogate', i);
      i += 12;
      continue;
    }
    if ((unit & 0xfc00) === 0xdc00) throw new JsonError('surrogate', i);
    i += 6;
  }
}

/** The code unit of the `\uXXXX` at `i`; undefined when there is none. */
function escapedUnit(text: string, i: number): number | undefined {
  if (text.charCodeAt(i) !== BACKSLASH || text.charCodeAt(i + 1) !== 0x75) return undefined;
  const digits = text.slice(i + 2, i + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

/** Members left in the value. Recursion is bounded by the depth already checked. */
function countKept(value: unknown): number {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new JsonError('number');
  if (typeof value !== 'object' || value === null) return 0;
  let kept = 0;
  if (Array.isArray(value)) {
    for (const item of value) kept += countKept(item);
    return kept;
  }
  const names = Object.keys(value);
  for (const name of names) kept += countKept((value as Record<string, unknown>)[name]);
  return kept + names.length;
}

/** Where the second of two equal names stands. Slow, and only for a document already known to have one. */
function findRepeated(text: string): number | undefined {
  const open: Set<string>[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '{' || c === '[') open.push(new Set());
    else if (c === '}' || c === ']') open.pop();
    if (c !== '"') continue;
    const end = endOfString(text, i);
    if (isName(text, end + 1)) {
      const name = JSON.parse(text.slice(i, end + 1)) as string;
      if (open.at(-1)?.has(name)) return i;
      open.at(-1)?.add(name);
    }
    i = end;
  }
  return undefined;
}

function isName(text: string, after: number): boolean {
  let i = after;
  while (/\s/.test(text.charAt(i))) i++;
  return text.charAt(i) === ':';
}
