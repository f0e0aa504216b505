import { IamError } from './errors.ts';

/** Counts work down (`iam.md` §10.6). Below zero it has run out, and whatever was being tested counts as a limit, not as an answer. */
export interface Meter {
  stepsLeft: number;
}

/** A pattern ready to be matched. Without a meter one match costs at most pattern length x value length steps. */
export type CompiledPattern = (value: string, meter?: Meter) => boolean;

/** Literals with one code point of any kind between each two: `a?b` is `['a', 'b']`. */
export type Segment = readonly string[];

/** `iam.md` §10.2: anchored, case-sensitive; `*` any run, `?` one code point; no escape. Refuses lone surrogates with `INVALID_INPUT`. */
export function compilePattern(pattern: string): CompiledPattern {
  // Well-formed literals can only match on borders of code points, which lets everything below compare UTF-16 units.
  if (!pattern.isWellFormed()) throw new IamError('INVALID_INPUT', 'a pattern must be well-formed Unicode');
  return compileSegments(segmentsOf(pattern));
}

/** Whether `value` as a whole matches `pattern` (`iam.md` §10.2). Wildcards in `value` are ordinary characters. */
export function matchPattern(pattern: string, value: string): boolean {
  return compilePattern(pattern)(value);
}

/** The runs between the `*` of a pattern; several `*` in a row are one. */
export function segmentsOf(pattern: string): Segment[] {
  return pattern
    .replaceAll(/\*{2,}/g, '*')
    .split('*')
    .map((segment) => segment.split('?'));
}

/** The cheapest test that does: most patterns are a word, a prefix or everything. */
export function compileSegments(segments: readonly Segment[]): CompiledPattern {
  const plain = segments.flatMap((segment) => (segment.length === 1 ? segment : []));
  if (plain.length < segments.length) return (value, meter) => matchSegments(segments, value, meter);
  const [first = '', last = ''] = plain;
  if (plain.length === 1) return (value) => value === first;
  if (plain.length > 2) return (value, meter) => matchSegments(segments, value, meter);
  if (first === '') return last === '' ? () => true : (value) => value.endsWith(last);
  if (last === '') return (value) => value.startsWith(first);
  return (value) => value.length >= first.length + last.length && value.startsWith(first) && value.endsWith(last);
}

/**
 * First segment at the start, last at the end, the others at the first place they fit: a run between two `*` that fits early never needs to be moved,
 * so nothing is tried twice.
 */
export function matchSegments(segments: readonly Segment[], value: string, meter?: Meter): boolean {
  const lastIndex = segments.length - 1;
  let at = endOfMatch(segments[0] ?? [''], value, 0, meter);
  if (lastIndex === 0) return at === value.length;
  if (at < 0) return false;
  const lastStart = startOfLast(segments[lastIndex] ?? [''], value, meter);
  for (let index = 1; index < lastIndex && at >= 0 && at <= lastStart; index++) at = firstEnd(segments[index] ?? [''], value, at, meter);
  return at >= 0 && at <= lastStart;
}

/** Where the segment ends when it begins at `at`; -1 when it does not fit there. */
function endOfMatch(segment: Segment, value: string, at: number, meter?: Meter): number {
  let end = at;
  for (let index = 0; index < segment.length; index++) {
    const literal = segment[index] ?? '';
    if (meter !== undefined) meter.stepsLeft -= 1 + (literal.length >> 3);
    if (index > 0) {
      if (end >= value.length) return -1;
      end += codePointLength(value, end);
    }
    if (!value.startsWith(literal, end)) return -1;
    end += literal.length;
  }
  return end;
}

/** End of the first place at or after `from` where the segment fits; -1 when there is none or the meter has run out. */
function firstEnd(segment: Segment, value: string, from: number, meter?: Meter): number {
  if (segment.length === 1) {
    const literal = segment[0] ?? '';
    const found = value.indexOf(literal, from);
    if (meter !== undefined) meter.stepsLeft -= 1 + (((found < 0 ? value.length : found) - from + literal.length) >> 2);
    return found < 0 ? -1 : found + literal.length;
  }
  for (let at = from; at < value.length; at += codePointLength(value, at)) {
    if (meter !== undefined && meter.stepsLeft < 0) return -1;
    const end = endOfMatch(segment, value, at, meter);
    if (end >= 0) return end;
  }
  return -1;
}

/** Where the last segment must begin to end with the value; -1 when it does not fit. Read backwards: its length in units is not known beforehand. */
function startOfLast(segment: Segment, value: string, meter?: Meter): number {
  let start = value.length;
  for (let index = segment.length - 1; index >= 0; index--) {
    const literal = segment[index] ?? '';
    if (meter !== undefined) meter.stepsLeft -= 1 + (literal.length >> 3);
    if (literal.length > start || !value.endsWith(literal, start)) return -1;
    start -= literal.length;
    if (index === 0) return start;
    if (start === 0) return -1;
    start -= start > 1 && isLow(value.charCodeAt(start - 1)) && isHigh(value.charCodeAt(start - 2)) ? 2 : 1;
  }
  return start;
}

function codePointLength(value: string, at: number): 1 | 2 {
  return isHigh(value.charCodeAt(at)) && isLow(value.charCodeAt(at + 1)) ? 2 : 1;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
