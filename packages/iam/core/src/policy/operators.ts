import type { Meter } from '../pattern.ts';
import type { Context } from './context.ts';
import type { ConditionValue, OperatorName } from './document.ts';
import {
  addressFamily,
  arrayFamily,
  booleanFamily,
  contains,
  dateFamily,
  equals,
  type Family,
  foldedFamily,
  foldedLikeFamily,
  inNetwork,
  like,
  likeFamily,
  numberFamily,
  stringFamily,
} from './families.ts';
import { contextReader } from './context-reader.ts';
import type { Test } from './run.ts';
import { compileTemplate, parseTemplate } from './template.ts';

/** One row of `iam.md` §10.4. */
export interface Operator {
  /** What its values must be, in words. */
  readonly expects: string;
  readonly isNegated: boolean;
  /** Whether an author may write this value; a string with variables counts as what it will become. */
  accepts(value: ConditionValue): boolean;
  /** `values` are accepted ones. */
  compile(key: string, values: readonly ConditionValue[], isDeny: boolean): Test;
}

/** How several values combine: negated operators want none to hold. */
type Quantifier = 'any' | 'all' | 'none';

function operator<Actual, Operand>(
  family: Family<Actual, Operand>,
  quantifier: Quantifier,
  holds: (actual: Actual, operand: Operand, meter: Meter) => boolean,
): Operator {
  return {
    expects: family.expects,
    isNegated: quantifier === 'none',
    accepts(value) {
      if (!isTemplate(value)) return family.operand(value) !== undefined;
      return family.readsText && parseTemplate(value) !== undefined;
    },
    compile(key, values, isDeny) {
      const operands = values.map((value) => compileOperand(family, value));
      if (quantifier === 'none') return negatedTest(key, family, operands, holds, isDeny);
      return plainTest(key, family, operands, holds, quantifier === 'all');
    },
  };
}

type Compiled<Operand> = (context: Context) => Operand | undefined;
type Holds<Actual, Operand> = (actual: Actual, operand: Operand, meter: Meter) => boolean;

function isTemplate(value: ConditionValue): value is string {
  return typeof value === 'string' && value.includes('${');
}

function compileOperand<Actual, Operand>(family: Family<Actual, Operand>, value: ConditionValue): Compiled<Operand> {
  const template = isTemplate(value) ? parseTemplate(value) : undefined;
  if (template !== undefined) {
    const fill = compileTemplate(template);
    return (
      family.template?.(template) ??
      ((context) => {
        const text = fill(context);
        return text === undefined ? undefined : family.operand(text);
      })
    );
  }
  const operand = family.operand(value);
  return () => operand;
}

/** `any` is settled by the first operand that holds, `all` by the first that does not. */
function plainTest<Actual, Operand>(
  key: string,
  family: Family<Actual, Operand>,
  operands: readonly Compiled<Operand>[],
  holds: Holds<Actual, Operand>,
  isAll: boolean,
): Test {
  const readKey = contextReader(key);
  return (run) => {
    const value = readKey(run.context);
    if (value === undefined) return false;
    const actual = family.actual(value, run);
    if (actual === undefined) return false;
    for (const read of operands) {
      run.stepsLeft--;
      const operand = read(run.context);
      const isHolding = operand !== undefined && holds(actual, operand, run);
      if (isHolding !== isAll) return isHolding;
    }
    return isAll;
  };
}

/**
 * Unresolved variables are looked for before anything else, the key itself included: the test then fails in an allow and holds in a deny
 * (`iam.md` §10.3), so what is missing never turns into a grant.
 */
function negatedTest<Actual, Operand>(
  key: string,
  family: Family<Actual, Operand>,
  operands: readonly Compiled<Operand>[],
  holds: Holds<Actual, Operand>,
  isDeny: boolean,
): Test {
  const readKey = contextReader(key);
  return (run) => {
    const value = readKey(run.context);
    const actual = value === undefined ? undefined : family.actual(value, run);
    let isSatisfied = actual !== undefined;
    for (const read of operands) {
      run.stepsLeft--;
      const operand = read(run.context);
      if (operand === undefined) return isDeny;
      if (actual !== undefined && isSatisfied && holds(actual, operand, run)) isSatisfied = false;
    }
    return isSatisfied;
  };
}

const exists: Operator = {
  expects: 'true or false',
  isNegated: false,
  accepts: (value) => typeof value === 'boolean',
  compile(key, values) {
    const readKey = contextReader(key);
    return (run) => values.includes(readKey(run.context) !== undefined);
  },
};

export const operators: Readonly<Record<OperatorName, Operator>> = {
  StringEquals: operator(stringFamily, 'any', equals),
  StringNotEquals: operator(stringFamily, 'none', equals),
  StringEqualsIgnoreCase: operator(foldedFamily, 'any', equals),
  StringNotEqualsIgnoreCase: operator(foldedFamily, 'none', equals),
  StringLike: operator(likeFamily, 'any', like),
  StringNotLike: operator(likeFamily, 'none', like),
  StringLikeIgnoreCase: operator(foldedLikeFamily, 'any', like),
  Bool: operator(booleanFamily, 'any', equals),
  NumericEquals: operator(numberFamily, 'any', equals),
  NumericNotEquals: operator(numberFamily, 'none', equals),
  NumericLessThan: operator(numberFamily, 'any', (actual, operand) => actual < operand),
  NumericLessThanEquals: operator(numberFamily, 'any', (actual, operand) => actual <= operand),
  NumericGreaterThan: operator(numberFamily, 'any', (actual, operand) => actual > operand),
  NumericGreaterThanEquals: operator(numberFamily, 'any', (actual, operand) => actual >= operand),
  DateBefore: operator(dateFamily, 'any', (actual, operand) => actual < operand),
  DateAfter: operator(dateFamily, 'any', (actual, operand) => actual > operand),
  IpAddress: operator(addressFamily, 'any', inNetwork),
  NotIpAddress: operator(addressFamily, 'none', inNetwork),
  ArrayContains: operator(arrayFamily, 'any', contains),
  ArrayContainsAll: operator(arrayFamily, 'all', contains),
  Exists: exists,
};
