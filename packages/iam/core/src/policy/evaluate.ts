import type { Context } from './context.ts';
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
}

/** `iam.md` §10.6: any deny, then a grant, then every ceiling. Running out of steps is a deny. */
export function evaluate(_sets: PolicySets, _request: PolicyRequest): Evaluation {
  throw new Error('not built yet');
}
