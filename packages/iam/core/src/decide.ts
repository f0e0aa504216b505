import type { Catalog } from './catalog.ts';
import type { HoldList } from './holds.ts';
import type { ContextValue, PrincipalFacts, RequestFacts, ResolvedResource } from './policy/context.ts';
import type { DecidedBy, EvaluationReason, PolicySets } from './policy/evaluate.ts';

export interface Ask extends PolicySets {
  readonly action: string;
  readonly resource: ResolvedResource;
  readonly context: { readonly principal: PrincipalFacts; readonly request: RequestFacts; readonly extra?: Readonly<Record<string, ContextValue>> };
  /** The confirm list of the delegation and of every one above; empty outside a delegated session. */
  readonly holds: readonly HoldList[];
  readonly catalog: Catalog;
}

export type InternalReason = 'UNKNOWN_ACTION' | 'held' | EvaluationReason;

/** `iam.md` §12.2. `internalReason` and `by` are for the audit chain and for `explain`, never for the caller. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: 'ALLOWED' | 'CONFIRMATION_REQUIRED' | 'ACCESS_DENIED';
  readonly matched: readonly string[];
  readonly internalReason: InternalReason;
  readonly held: boolean;
  /** What decided; of a held decision the statement that grants. */
  readonly by?: DecidedBy;
}

/** One step of `iam.md` §12.1 as it came out. The last one says what the decision says. */
export interface DecisionStep {
  readonly step: 5 | 7 | 8 | 9 | 10 | 11;
  readonly outcome: 'passed' | 'refused' | 'held';
  readonly by?: DecidedBy;
}

/**
 * Steps 5 and 7 to 11 of `iam.md` §12.1: deny beats hold beats allow; silence denies. Pure. With `trace` the same evaluator hands over each step.
 */
export function decide(_ask: Ask, _trace?: (step: DecisionStep) => void): Decision {
  throw new Error('not built yet');
}

/** A held decision whose approval has just been consumed (`iam.md` §17.4): the allow it would have been without the hold. Throws on any other. */
export function admitHeld(_decision: Decision): Decision {
  throw new Error('not built yet');
}
