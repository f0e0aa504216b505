import type { InputOf, Operation, OutputOf } from '@kit/operation';
import type { Call, Transport } from './call.ts';
import type { Plane } from './plane.ts';
import type { SessionKind } from './state/bearer.ts';
import type { Lock } from './state/generation.ts';

/** Who may call an operation and how it is run: read by `invoke`, and by whoever reviews who may do what. */
export interface Rule {
  /** Kinds of credential that may call at all; any other is `ACCESS_DENIED`. */
  readonly kinds: readonly SessionKind[];
  /** `change` also raises the tenant's generation when the call is done. */
  readonly lock: Lock;
  /** Established within the last 5 minutes, else `RECENT_AUTH_REQUIRED`. */
  readonly isRecent: boolean;
  /** Owner of the tenant, or root administrator (iam.md §11.4); the operation's action must be allowed too. */
  readonly isOwner: boolean;
  /** `tenantId` is what the operation is about, not where it acts. */
  readonly namesTenant: boolean;
  /** Calls of one identity in 15 minutes; refused ones count too. */
  readonly perWindow?: number;
  /** What they are counted as; default: the operation's id. */
  readonly countedAs?: string;
}

/** The ordinary kind: authenticated, in one transaction. */
export interface Handler<Op extends Operation = Operation> {
  readonly rule: Rule;
  run(call: Call, input: InputOf<Op>): Promise<OutputOf<Op>>;
}

export interface PublicHandler<Op extends Operation = Operation> {
  readonly isPublic: true;
  run(plane: Plane, input: InputOf<Op>, transport: Transport): Promise<OutputOf<Op>>;
}

/** Takes care of credential and transactions itself: for what needs more than one, or lasts longer. */
export interface FreeHandler<Op extends Operation = Operation> {
  readonly isFree: true;
  /** Asked before the input is read: who may not call at all is not told what is wrong with it. */
  admit?(plane: Plane, token: string | undefined, untrusted: unknown, transport: Transport): Promise<void>;
  run(plane: Plane, token: string | undefined, input: InputOf<Op>, transport: Transport): Promise<OutputOf<Op>>;
}

export type AnyHandler<Op extends Operation = Operation> = Handler<Op> | PublicHandler<Op> | FreeHandler<Op>;

const base: Rule = { kinds: ['user', 'api-key', 'delegated'], lock: 'none', isRecent: false, isOwner: false, namesTenant: false };
const handler =
  (rule: Partial<Rule>) =>
  <Op extends Operation>(run: Handler<Op>['run']): Handler<Op> => ({ rule: { ...base, ...rule }, run });

/** A read; what of it the caller may see is the handler's to decide. */
export const read = handler({});
/** A read that costs. */
export const readSeldom = (perWindow: number) => handler({ perWindow });
/** Not from a delegated session, whatever the policy says. */
export const readAsOneself = handler({ kinds: ['user', 'api-key'] });
export const readAbout = handler({ namesTenant: true });
/** A person about what is theirs. */
export const personReads = handler({ kinds: ['user'] });
/** A code a person types: what they try is counted, whichever of its operations they try it with. */
export const personTypes = (perWindow: number, countedAs: string, o: { isRecent?: boolean } = {}) =>
  handler({ kinds: ['user'], lock: 'share', perWindow, countedAs, ...o });
export const personActs = handler({ kinds: ['user'], lock: 'share' });
export const personChanges = handler({ kinds: ['user'], lock: 'change' });
export const personChangesRecently = handler({ kinds: ['user'], lock: 'change', isRecent: true });
/** An owner's change of the tenant (iam.md §11.4). */
export const ownerChanges = handler({ kinds: ['user'], lock: 'change', isRecent: true, isOwner: true });
/** An agent with its own key. */
export const agentActs = handler({ kinds: ['api-key'], lock: 'share' });
export const agentRequests = (perWindow: number) => handler({ kinds: ['api-key'], lock: 'change', perWindow });
/** An agent in a delegated session. */
export const delegateChanges = handler({ kinds: ['delegated'], lock: 'change' });
/** An effect on what no decision is compiled from. Not from a delegated session: a hold would be on the record alone, whatever is written to it. */
export const actsAsOneself = handler({ kinds: ['user', 'api-key'], lock: 'share' });
export const anyoneChanges = handler({ lock: 'change' });

export const publicly = <Op extends Operation>(run: PublicHandler<Op>['run']): PublicHandler<Op> => ({ isPublic: true, run });
export const freely = <Op extends Operation>(run: FreeHandler<Op>['run'], o: Pick<FreeHandler<Op>, 'admit'> = {}): FreeHandler<Op> => ({
  isFree: true,
  ...o,
  run,
});
