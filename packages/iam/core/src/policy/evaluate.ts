import { limits } from '../limits.ts';
import type { Context } from './context.ts';
import { applies, type Rule, type RuleEntry } from './rules.ts';
import type { Run } from './run.ts';
import type { CompiledSet } from './set.ts';

export interface PolicySets {
  readonly grants: CompiledSet;
  /** Each must allow by itself. */
  readonly ceilings: readonly CompiledSet[];
}

export interface PolicyRequest {
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly context: Context;
}

export type EvaluationReason = 'allowed' | 'explicit-deny' | 'no-grant' | 'boundary-deny' | 'evaluation-limit';

/** What decided: a statement, or for `boundary-deny` the ceiling that is silent. */
export interface DecidedBy {
  /** `grants`, or the place of the ceiling in `ceilings`. */
  readonly set: 'grants' | number;
  readonly kind?: string;
  readonly id?: string;
  readonly name?: string;
  /** The statement's own, else its place: `statements[3]`. */
  readonly sid?: string;
}

export interface Evaluation {
  readonly effect: 'allow' | 'deny';
  readonly reason: EvaluationReason;
  /** The granting statement when allowed; empty otherwise. */
  readonly matched: readonly string[];
  readonly by?: DecidedBy;
  /** Step of `iam.md` §12.1 that settled it: 7 denies, 8 grants, 9 ceilings. */
  readonly step: 7 | 8 | 9;
}

/** `iam.md` §10.6: any deny, then a grant, then every ceiling. Running out of steps is a deny. */
export function evaluate(sets: PolicySets, request: PolicyRequest): Evaluation {
  const { type, id } = request.resource;
  const run: Run = { context: request.context, resourceId: id, resourcePath: `${type}/${id}`, stepsLeft: limits.evaluationStepsMax };
  const entries = [sets.grants.rulesFor(request.action, type)];
  for (const ceiling of sets.ceilings) entries.push(ceiling.rulesFor(request.action, type));
  for (let place = 0; place < entries.length; place++) {
    const entry = entries[place] ?? silent;
    const denying = firstThatApplies(entry.denies, run);
    if (run.stepsLeft < 0 || entry.isOverLimit) return refusal('evaluation-limit', 7);
    if (denying !== undefined) return refusal('explicit-deny', 7, decidedBy(place, denying));
  }
  const granting = firstThatApplies((entries[0] ?? silent).allows, run);
  if (run.stepsLeft < 0) return refusal('evaluation-limit', 8);
  if (granting === undefined) return refusal('no-grant', 8);
  for (let place = 1; place < entries.length; place++) {
    const allowing = firstThatApplies((entries[place] ?? silent).allows, run);
    if (run.stepsLeft < 0) return refusal('evaluation-limit', 9);
    if (allowing === undefined) return refusal('boundary-deny', 9, silentCeiling(place, sets.ceilings[place - 1]));
  }
  return { effect: 'allow', reason: 'allowed', matched: [granting.statement.sid], by: decidedBy(0, granting), step: 9 };
}

const silent: RuleEntry = { denies: [], allows: [], isOverLimit: false };

/** Undefined also when the steps have run out, even by the rule that would apply: look at `run.stepsLeft` first. */
function firstThatApplies(rules: readonly Rule[], run: Run): Rule | undefined {
  for (const rule of rules) {
    const isApplying = applies(rule, run);
    if (run.stepsLeft < 0) return undefined;
    if (isApplying) return rule;
  }
  return undefined;
}

function refusal(reason: EvaluationReason, step: Evaluation['step'], by?: DecidedBy): Evaluation {
  return { effect: 'deny', reason, matched: [], step, ...(by === undefined ? {} : { by }) };
}

function decidedBy(place: number, rule: Rule): DecidedBy {
  const { kind, id, name } = rule.statement.source;
  return { set: place === 0 ? 'grants' : place - 1, kind, id, ...(name === undefined ? {} : { name }), sid: rule.statement.sid };
}

function silentCeiling(place: number, set: CompiledSet | undefined): DecidedBy {
  const source = set?.sources[0];
  if (source === undefined) return { set: place - 1 };
  return { set: place - 1, kind: source.kind, id: source.id, ...(source.name === undefined ? {} : { name: source.name }) };
}
