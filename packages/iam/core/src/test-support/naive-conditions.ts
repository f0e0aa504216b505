import { isIP } from 'node:net';
import type { ContextValue } from '../policy/context.ts';
import type { Statement } from '../policy/document.ts';
import { type GlobToken, matchFrom } from './naive-glob.ts';

export type NaiveContext = ReadonlyMap<string, ContextValue>;

/** A test that an unresolved variable under a negated operator leaves open (`iam.md` §10.3). */
type Outcome = boolean | 'open';

/** Whether all conditions of a statement hold, read off `iam.md` §10.3 and §10.4 sentence by sentence. */
export function naiveConditionsHold(statement: Statement, context: NaiveContext): boolean {
  for (const [operator, keys] of Object.entries(statement.conditions ?? {})) {
    for (const [key, value] of Object.entries(keys)) {
      const outcome = naiveTest(operator, context.get(key), Array.isArray(value) ? value : [value], context);
      const isHolding = outcome === 'open' ? statement.effect === 'deny' : outcome;
      if (!isHolding) return false;
    }
  }
  return true;
}

function naiveTest(operator: string, actual: ContextValue | undefined, values: readonly (string | number | boolean)[], context: NaiveContext): Outcome {
  if (operator === 'Exists') return values.some((value) => value === (actual !== undefined));
  const isNegated = operator.includes('Not');
  const positive = operator.replace('Not', '');
  const results = values.map((value) => holds(positive, actual, value, context));
  if (isNegated && results.includes('unresolved')) return 'open';
  // Absent or of the wrong type: no operator is satisfied, negated ones included.
  if (results.includes('wrong-type')) return false;
  if (isNegated) return results.every((result) => result === false);
  return positive === 'ArrayContainsAll' ? results.every((result) => result === true) : results.some((result) => result === true);
}

function holds(
  operator: string,
  actual: ContextValue | undefined,
  value: string | number | boolean,
  context: NaiveContext,
): boolean | 'unresolved' | 'wrong-type' {
  const tokens = typeof value === 'string' ? expand(value, context) : [];
  if (tokens === undefined) return 'unresolved';
  const text = tokens.map((token) => (typeof token === 'string' ? token : token.literal)).join('');
  if (operator === 'IpAddress') {
    const block = blockBits(text);
    if (block === undefined) return 'unresolved';
    if (typeof actual !== 'string' || addressBits(actual) === undefined) return 'wrong-type';
    const bits = addressBits(actual) ?? '';
    return bits.length === block.family && bits.startsWith(block.bits);
  }
  if (operator.startsWith('Date')) {
    const [one, other] = [typeof actual === 'string' ? instant(actual) : undefined, instant(text)];
    if (one === undefined) return 'wrong-type';
    return other === undefined ? 'unresolved' : operator === 'DateBefore' ? one < other : one > other;
  }
  if (operator.startsWith('Numeric')) return typeof actual === 'number' && typeof value === 'number' ? compare(operator, actual, value) : 'wrong-type';
  if (operator === 'Bool') return typeof actual === 'boolean' ? actual === value : 'wrong-type';
  if (operator.startsWith('Array')) return Array.isArray(actual) ? actual.some((element) => element === text) : 'wrong-type';
  if (typeof actual !== 'string') return 'wrong-type';
  const fold = operator.endsWith('IgnoreCase') ? lower : (one: string) => one;
  if (operator.startsWith('StringLike'))
    return matchFrom(
      tokens.map((token) => (typeof token === 'string' ? fold(token) : { literal: fold(token.literal) })),
      [...actual].map(fold),
    );
  return fold(actual) === fold(text);
}

function compare(operator: string, actual: number, value: number): boolean {
  if (operator === 'NumericEquals') return actual === value;
  if (operator === 'NumericLessThan') return actual < value;
  if (operator === 'NumericLessThanEquals') return actual <= value;
  return operator === 'NumericGreaterThan' ? actual > value : actual >= value;
}

function lower(text: string): string {
  return [...text].map((one) => ([...one.toLowerCase()].length === 1 ? one.toLowerCase() : one)).join('');
}

/** The author's text as code points, what variables bring as literals; undefined when one is unresolved. */
export function expand(text: string, context: NaiveContext): GlobToken[] | undefined {
  const tokens: GlobToken[] = [];
  for (const part of text.split(/(\$\{[^}]*\})/)) {
    if (!part.startsWith('${')) tokens.push(...part);
    else {
      const value = context.get(part.slice(2, -1));
      if (typeof value !== 'string') return undefined;
      tokens.push(...[...value].map((literal) => ({ literal })));
    }
  }
  return tokens;
}

function instant(text: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function addressBits(text: string): string | undefined {
  const bits = rawBits(text);
  const mapped = '0'.repeat(80) + '1'.repeat(16);
  return bits?.length === 128 && bits.startsWith(mapped) ? bits.slice(96) : bits;
}

function blockBits(text: string): { family: number; bits: string } | undefined {
  const [address = '', prefix] = text.split('/');
  const raw = rawBits(address);
  if (raw === undefined) return undefined;
  const kept = raw.slice(0, prefix === undefined ? raw.length : Number(prefix));
  const mapped = '0'.repeat(80) + '1'.repeat(16);
  return raw.length === 128 && kept.startsWith(mapped) ? { family: 32, bits: kept.slice(96) } : { family: raw.length, bits: kept };
}

/** An address as a string of bits, after the platform has brought IPv6 into its one form. */
function rawBits(text: string): string | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  if (isIP(text) === 4)
    return text
      .split('.')
      .map((byte) => Number(byte).toString(2).padStart(8, '0'))
      .join('');
  const [head = '', tail = ''] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const words = (half: string) => half.split(':').filter((word) => word !== '');
  const middle = Array.from({ length: 8 - words(head).length - words(tail).length }, () => '0');
  return [...words(head), ...middle, ...words(tail)].map((word) => Number.parseInt(word, 16).toString(2).padStart(16, '0')).join('');
}
