import type { Catalog } from './catalog.ts';
import { type HoldList, isHeld } from './holds.ts';
import { buildContext, type ContextFacts, type ResolvedResource } from './policy/context.ts';
import { type DecidedBy, type Evaluation, type EvaluationReason, evaluate, type PolicySets } from './policy/evaluate.ts';

export interface Ask extends PolicySets {
  readonly action: string;
  readonly resource: ResolvedResource;
  readonly context: Omit<ContextFacts, 'resource'>;
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
  /** Of the step that settled it. */
  readonly by?: DecidedBy;
}

export type Trace = (step: DecisionStep) => void;

/**
 * Steps 5 and 7 to 11 of `iam.md` §12.1: deny beats hold beats allow; silence denies. Pure. With `trace` the same evaluator hands over each step.
 * Throws `INTERNAL_ERROR` where the resolved resource or the extra context keys break §9.1 or §10.5: the decision has then failed, and nothing is allowed.
 */
export function decide(ask: Ask, trace?: Trace): Decision {
  const { action, resource, context } = ask;
  if (!ask.catalog.actions.has(action)) {
    trace?.({ step: 5, outcome: 'refused' });
    return denied('UNKNOWN_ACTION');
  }
  trace?.({ step: 5, outcome: 'passed' });
  const evaluation = evaluate(ask, { action, resource, context: buildContext({ ...context, resource }) });
  if (trace !== undefined) traceEvaluation(evaluation, trace);
  if (evaluation.effect === 'deny') return denied(evaluation.reason, evaluation.by);
  const by = evaluation.by === undefined ? {} : { by: evaluation.by };
  if (isHeld(ask.holds, action)) {
    trace?.({ step: 10, outcome: 'held' });
    return { allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [], internalReason: 'held', held: true, ...by };
  }
  trace?.({ step: 10, outcome: 'passed' });
  trace?.({ step: 11, outcome: 'passed', ...by });
  return { allowed: true, reason: 'ALLOWED', matched: evaluation.matched, internalReason: 'allowed', held: false, ...by };
}

/** A held decision whose approval has just been consumed (`iam.md` §17.4): the allow it would have been without the hold. Any other stays as it is. */
export function admitHeld(decision: Decision): Decision {
  if (!decision.held) return decision;
  return {
    ...decision,
    allowed: true,
    reason: 'ALLOWED',
    matched: decision.by?.sid === undefined ? [] : [decision.by.sid],
    internalReason: 'allowed',
    held: false,
  };
}

function denied(internalReason: InternalReason, by?: DecidedBy): Decision {
  return { allowed: false, reason: 'ACCESS_DENIED', matched: [], internalReason, held: false, ...(by === undefined ? {} : { by }) };
}

/** Steps before the one that settled it have passed, since each is asked only then. */
function traceEvaluation(evaluation: Evaluation, trace: Trace): void {
  const steps = [7, 8, 9] as const;
  for (const step of steps) {
    if (step < evaluation.step || evaluation.effect === 'allow') trace({ step, outcome: 'passed' });
    else {
      trace({ step, outcome: 'refused', ...(evaluation.by === undefined ? {} : { by: evaluation.by }) });
      return;
    }
  }
}
