import { type CompiledPattern, compilePattern, type Meter } from '../pattern.ts';
import type { Conditions, OperatorName, Statement } from './document.ts';
import { operators } from './operators.ts';
import { compileResources } from './resource.ts';
import type { Run, Test } from './run.ts';
import type { PolicySource } from './source.ts';

/** A statement with everything compiled that does not depend on the resource type. */
export interface CompiledStatement {
  readonly source: PolicySource;
  /** As it was written. */
  readonly written: Statement;
  /** The author's, else its place in the document. */
  readonly sid: string;
  readonly isDeny: boolean;
  readonly actions: readonly CompiledPattern[];
  readonly resources: readonly string[];
  readonly conditions: readonly Test[];
}

/** A statement that speaks about one action and one resource type; `tests` are what is left to ask. */
export interface Rule {
  readonly statement: CompiledStatement;
  readonly tests: readonly Test[];
}

/** What a set has to say about one action and one resource type. */
export interface RuleEntry {
  readonly denies: readonly Rule[];
  /** Those without a question first: they settle it at once. */
  readonly allows: readonly Rule[];
  /** Finding the rules took too many steps: nothing may be allowed through this set. */
  readonly isOverLimit: boolean;
}

export function compileStatement(statement: Statement, index: number, source: PolicySource): CompiledStatement {
  const isDeny = statement.effect === 'deny';
  return {
    source,
    written: statement,
    sid: statement.sid ?? `statements[${index}]`,
    isDeny,
    actions: statement.actions.map(compilePattern),
    resources: statement.resources,
    conditions: compileConditions(statement.conditions ?? {}, isDeny),
  };
}

function compileConditions(conditions: Conditions, isDeny: boolean): Test[] {
  const tests: Test[] = [];
  for (const name of Object.keys(conditions) as OperatorName[]) {
    const keys = conditions[name] ?? {};
    for (const key of Object.keys(keys)) {
      const value = keys[key];
      if (value === undefined) continue;
      tests.push(operators[name].compile(key, Array.isArray(value) ? value : [value], isDeny));
    }
  }
  return tests;
}

/** The rules among `statements` for one action and type. `meter` bounds the search; it is not the decision's, or a first call could fail where a second passes. */
export function rulesFor(statements: readonly CompiledStatement[], action: string, type: string, meter: Meter): RuleEntry {
  const denies: Rule[] = [];
  const certain: Rule[] = [];
  const uncertain: Rule[] = [];
  for (const statement of statements) {
    const isAbout = statement.actions.some((matches) => {
      meter.stepsLeft--;
      return meter.stepsLeft >= 0 && matches(action, meter);
    });
    if (meter.stepsLeft < 0) return { denies: [], allows: [], isOverLimit: true };
    if (!isAbout) continue;
    const resource = compileResources(statement.resources, type);
    if (resource === 'never') continue;
    const tests = resource === 'always' ? statement.conditions : [resource, ...statement.conditions];
    (statement.isDeny ? denies : tests.length === 0 ? certain : uncertain).push({ statement, tests });
  }
  return { denies, allows: [...certain, ...uncertain], isOverLimit: false };
}

/** Whether every test of the rule holds. Look at `run.stepsLeft` before believing it. */
export function applies(rule: Rule, run: Run): boolean {
  run.stepsLeft--;
  for (const test of rule.tests) {
    if (!test(run)) return false;
  }
  return true;
}
