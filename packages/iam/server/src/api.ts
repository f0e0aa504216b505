import type { CredentialInput, InputOf, Operation, OutputOf } from '@kit/operation';
import { type IamOperations, operations } from '@better-iam/contract';
import type { Transport } from './call.ts';
import type { Signals } from './confirmations/signals.ts';
import type { Handlers } from './handlers.ts';
import { invoke } from './invoke.ts';
import type { Plane } from './plane.ts';
import { tokenOf } from './presented.ts';

/** Callable without a credential; the contract's own mark is checked against this list by a test. */
export const publicOperations = ['auth.signIn', 'auth.verifyMfa', 'auth.redeemCode', 'auth.beginDevice', 'auth.pollDevice'] as const;
type PublicId = (typeof publicOperations)[number];

type Ids = IamOperations[number]['id'];
type Grouped = Extract<Ids, `${string}.${string}`>;
type GroupOf<Id extends string> = Id extends `${infer G}.${string}` ? G : never;
type MethodOf<Id extends string, G extends string> = Id extends `${G}.${infer M}` ? M : never;
type ById<Id extends string> = Extract<IamOperations[number], { id: Id }>;

type Method<Op extends Operation> = Op['id'] extends PublicId
  ? (input: InputOf<Op>) => Promise<OutputOf<Op>>
  : {} extends InputOf<Op>
    ? (credential: CredentialInput, input?: InputOf<Op>) => Promise<OutputOf<Op>>
    : (credential: CredentialInput, input: InputOf<Op>) => Promise<OutputOf<Op>>;

type Groups = { readonly [G in GroupOf<Grouped>]: { readonly [M in MethodOf<Grouped, G>]: Method<ById<`${G}.${M}`>> } };

/** `iam.api.{group}.{method}(credential, input)`; public methods take the input alone (iam.md §8.2). */
export type IamApi = Groups & {
  readonly delegations: {
    /** Within the process only: calls `fn` at each change of that confirmation, whichever process made it; returns the way to stop. */
    watch(confirmationId: string, fn: () => void): () => void;
  };
};

/** A call from within the process: no address is vouched for, no browser waits for a cookie. */
export const inProcess = (): Transport => ({
  requestId: crypto.randomUUID(),
  clientIp: undefined,
  userAgent: undefined,
  signal: undefined,
  setSession: () => {},
  identified: () => {},
});

export function createApi(plane: Plane, handlers: Handlers, signals: Signals): IamApi {
  const groups: Record<string, Record<string, unknown>> = Object.create(null);
  for (const op of operations as readonly Operation[]) {
    const [group, name] = op.id.split('.') as [string, string | undefined];
    if (name === undefined) continue;
    const handler = handlers[op.id as Ids];
    const run = (credential: CredentialInput, input: unknown = {}) => invoke(plane, op, handler, tokenOf(credential), input, inProcess());
    groups[group] ??= Object.create(null) as Record<string, unknown>;
    groups[group][name] = op.isPublic
      ? async (input: unknown) => await run({}, input)
      : async (credential: CredentialInput, input?: unknown) => await run(credential, input);
  }
  groups.delegations!.watch = signals.watch;
  return groups as unknown as IamApi;
}
