import { limits } from '../limits.ts';
import type { Context } from './context.ts';
import { applies, type Rule } from './rules.ts';
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
  const all = [sets.grants, ...sets.ceilings];
  const entries = all.map((set) => set.rulesFor(request.action, type));
  if (entries.some((entry) => entry.isOverLimit)) return refusal('evaluation-limit', 7);
  for (const [place, entry] of entries.entries()) {
    const denying = firstThatApplies(entry.denies, run);
    if (run.stepsLeft < 0) return refusal('evaluation-limit', 7);
    if (denying !== undefined) return refusal('explicit-deny', 7, decidedBy(place, denying));
  }
  let granting: Rule | undefined;
  for (const [place, entry] of entries.entries()) {
    const step = place === 0 ? 8 : 9;
    const allowing = firstThatApplies(entry.allows, run);
    if (run.stepsLeft < 0) return refusal('evaluation-limit', step);
    if (allowing === undefined) return place === 0 ? refusal('no-grant', step) : refusal('boundary-deny', step, silentCeiling(place, all[place]));
    granting ??= allowing;
  }
  if (granting === undefined) return refusal('no-grant', 8);
  return { effect: 'allow', reason: 'allowed', matched: [granting.statement.sid], by: decidedBy(0, granting), step: 9 };
}

function firstThatApplies(rules: readonly Rule[], run: Run): Rule | undefined {
  for (const rule of rules) {
    if (applies(rule, run)) return rule;
    if (run.stepsLeft < 0) return undefined;
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
