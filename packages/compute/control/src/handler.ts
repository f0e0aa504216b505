import type { Action, ComputeOperation } from '@better-compute/contract';
import type { InputOf, OutputOf } from '@kit/operation';
import type { Charge } from './budgets/charge.ts';
import type { JsonValue, ResolvedResource } from './iam-port.ts';
import type { Look, Plane, Scope } from './plane.ts';

export type OperationId = ComputeOperation['id'];
type OperationOf<Id extends OperationId> = Extract<ComputeOperation, { id: Id }>;
export type In<Id extends OperationId> = InputOf<OperationOf<Id>>;
export type Out<Id extends OperationId> = OutputOf<OperationOf<Id>>;

/** What a person reads before approving: built from validated values and catalog names (iam.md §18 rule 14). */
export interface Card {
  summary: string;
  facts: { label: string; value: string }[];
}

/** An object as decisions see it. */
export interface Found<Row = unknown> {
  row: Row;
  resource: ResolvedResource;
  /** Whoever lacks this action on it is told NOT_FOUND; null where everybody knows that it is there. */
  readAction: Action | null;
}

/** A request made exact before it is decided: all of it is frozen with the draft (compute.md §3.4). */
export interface DraftPlan {
  /** Made only where somebody may have to approve. Throws INVALID_INPUT for what is too much to be shown. */
  card(): Card;
  attributes: ResolvedResource['attributes'];
  ownerId: string;
  /** What the effect needs, so that an approved request does what was read. */
  frozen: JsonValue;
  /** The request with what it leaves to defaults, where that makes two spellings of one; default: the input. */
  whole?: JsonValue;
  /** What it takes of budgets, kept while a person may still approve it. */
  charge?: Charge;
}

/** What `run` is given to act on: an object by id, or the frozen request of a draft. */
interface Subject<Row> {
  row: Row;
  frozen: JsonValue;
}

interface Effect<Answer> {
  reply: Answer;
  /** What the idempotency record points at. */
  objectId: string;
  /** Figures of the act itself that the object does not keep. */
  detail?: JsonValue;
}

/**
 * An operation with an effect. `run` refuses before it writes: calls of one pool share a transaction, and a refusal
 * must leave nothing of its own behind.
 */
export interface EffectHandler<Id extends OperationId, Row = undefined> {
  /** Pool whose lock orders the call; undefined = a transaction of its own. */
  lane?(plane: Plane, input: In<Id>): Promise<string | undefined>;
  /** It takes from budgets, whose lock is then asked for together with the pool's. */
  isCharged?: true;
  /** What it needs of its pool is in memory as a rule, so that it can act before the pool is locked. */
  isEarly?: true;
  /** For operations on a draft: the object it is about; on the tenant: it, as more than its id makes it. Whoever may not read that is told NOT_FOUND, whatever else is wrong. */
  about?(scope: Scope, input: In<Id>): Promise<Found<Row> | undefined>;
  /** Freezes the request. Throws what no approval could heal. */
  draft?(scope: Scope, input: In<Id>, about: Row): DraftPlan;
  /** Whether what was frozen still does what a person read of it; where not, the draft is over and is asked about anew. Default: it does. */
  isAsRead?(frozen: JsonValue, about: Row): boolean;
  /** For operations on an object. */
  card?(row: Row, input: In<Id>): Card;
  /** For operations on the tenant: what policies can test of the request beyond it. */
  attributes?(input: In<Id>): ResolvedResource['attributes'];
  /** Why no approval could make this happen: told in place of asking a person. `run` refuses with the same. */
  impossible?(scope: Scope, input: In<Id>, subject: Subject<Row>): Error | undefined;
  /** The object is already in the asked end state: answered to whoever may read it, nothing is asked or done. */
  isDone?(row: Row): boolean;
  run(scope: Scope, input: In<Id>, subject: Subject<Row>): Promise<Effect<Out<Id>>>;
  /** The object as it is now, for a repeat of the same key and after a wait. */
  answer(look: Look, objectId: string, detail: JsonValue | undefined): Promise<{ reply: Out<Id>; found: Found } | undefined>;
  /** The answer is not settled yet: the id to wait on (compute.md §2.2, wait). */
  waitsFor?(reply: Out<Id>): string | undefined;
}

/** A read. On an object its row is given; on rows it leaves out what the caller may not read. */
export type ReadHandler<Id extends OperationId, Row = undefined> = (scope: Scope, input: In<Id>, row: Row) => Promise<Out<Id>>;

/** Each handler knows the row of its own object; `resources/objects.ts` pairs them. */
export type Handler<Id extends OperationId> = EffectHandler<Id, any> | ReadHandler<Id, any>;
