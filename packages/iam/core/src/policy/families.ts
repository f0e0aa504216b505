import { type CompiledPattern, compilePattern, type Meter } from '../pattern.ts';
import { type Address, isInNetwork, type Network, parseAddress, parseNetwork } from './address.ts';
import type { Context, ContextValue } from './context.ts';
import type { ConditionValue } from './document.ts';
import { foldCase } from './fold.ts';
import { parseInstant } from './instant.ts';
import type { Template } from './template.ts';
import { compileTemplatePattern } from './template-pattern.ts';

/**
 * What operators of one kind share (`iam.md` §10.4): how a context value and an author's value are read. Undefined means of the wrong type, which
 * satisfies nothing; an author's value that reads as undefined is refused when the policy is parsed.
 */
export interface Family<Actual, Operand> {
  /** What an author's value must be, in words. */
  readonly expects: string;
  /** Whether that is text, which may hold variables. */
  readonly readsText: boolean;
  actual(value: ContextValue, meter: Meter): Actual | undefined;
  operand(value: ConditionValue): Operand | undefined;
  /** Only where filling in variables first and reading the text afterwards would give what they bring wildcard power. */
  template?(template: Template): (context: Context) => Operand | undefined;
}

const asString = (value: ContextValue | ConditionValue): string | undefined => (typeof value === 'string' ? value : undefined);

export const stringFamily: Family<string, string> = { expects: 'a string', readsText: true, actual: asString, operand: asString };

export const foldedFamily: Family<string, string> = {
  expects: 'a string',
  readsText: true,
  actual: readFolded,
  operand: (value) => (typeof value === 'string' ? foldCase(value) : undefined),
};

export const likeFamily: Family<string, CompiledPattern> = {
  expects: 'a string',
  readsText: true,
  actual: asString,
  operand: (value) => (typeof value === 'string' && value.isWellFormed() ? compilePattern(value) : undefined),
  template: (template) => compileTemplatePattern(template),
};

export const foldedLikeFamily: Family<string, CompiledPattern> = {
  expects: 'a string',
  readsText: true,
  actual: readFolded,
  operand: (value) => (typeof value === 'string' && value.isWellFormed() ? compilePattern(foldCase(value)) : undefined),
  template: (template) => compileTemplatePattern(template, foldCase),
};

const asBoolean = (value: ContextValue | ConditionValue): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
export const booleanFamily: Family<boolean, boolean> = { expects: 'true or false', readsText: false, actual: asBoolean, operand: asBoolean };

const asNumber = (value: ContextValue | ConditionValue): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
export const numberFamily: Family<number, number> = { expects: 'a finite number', readsText: false, actual: asNumber, operand: asNumber };

const asInstant = (value: ContextValue | ConditionValue): number | undefined => (typeof value === 'string' ? parseInstant(value) : undefined);
export const dateFamily: Family<number, number> = { expects: 'an ISO 8601 date and time with a zone', readsText: true, actual: asInstant, operand: asInstant };

export const addressFamily: Family<Address, Network> = {
  expects: 'an address or a CIDR block',
  readsText: true,
  actual: (value) => (typeof value === 'string' ? parseAddress(value) : undefined),
  operand: (value) => (typeof value === 'string' ? parseNetwork(value) : undefined),
};

export const arrayFamily: Family<readonly string[], string> = {
  expects: 'a string',
  readsText: true,
  actual: (value) => (Array.isArray(value) ? value : undefined),
  operand: asString,
};

export const equals = <Value>(actual: Value, operand: Value): boolean => actual === operand;
export const like = (actual: string, operand: CompiledPattern, meter: Meter): boolean => operand(actual, meter);
export const inNetwork = (actual: Address, operand: Network): boolean => isInNetwork(actual, operand);

export function contains(actual: readonly string[], operand: string, meter: Meter): boolean {
  meter.stepsLeft -= actual.length;
  return actual.includes(operand);
}

function readFolded(value: ContextValue, meter: Meter): string | undefined {
  if (typeof value !== 'string') return undefined;
  meter.stepsLeft -= value.length >> 3;
  return foldCase(value);
}
