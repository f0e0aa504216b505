import { z } from 'zod';
import { IdempotencyKey, wordsText } from './fields.ts';

export type Effect = 'read' | 'write' | 'destroy';
/** Who makes an idempotency key: `mint` = client, CLI and aware tools make one; `take` = taken, never made (compute.md §2.3). */
export type KeyRule = 'mint' | 'take' | 'none';

/** What a decision is taken on. `draft` is a request not yet made real: all attributes frozen (compute.md §3.4). */
export type Target<In> =
  | { kind: 'tenant' }
  | { kind: 'fleet' }
  | { kind: 'draft'; type: string }
  | { kind: 'object'; type: string; id: (input: In) => string }
  /** Each row of the answer is decided on its own; rows the caller may not read are left out. */
  | { kind: 'rows'; type: string };

export const draft = (type: string): { kind: 'draft'; type: string } => ({ kind: 'draft', type });
export const object = <In>(type: string, id: (input: In) => string): Target<In> => ({ kind: 'object', type, id });
export const rows = (type: string): { kind: 'rows'; type: string } => ({ kind: 'rows', type });
export const onTenant: { kind: 'tenant' } = { kind: 'tenant' };
export const onFleet: { kind: 'fleet' } = { kind: 'fleet' };

/** One operation whose action is that of the kind of thing it is asked for: `member` of the input names which. */
export interface ActionByMember<Action extends string = string> {
  member: string;
  actions: Readonly<Record<string, Action>>;
}

/** The gate's rule for a tool: any signed-in caller, or an action on the object one argument names. */
export type ToolGate = 'any' | { action: string; type: string; argument: string } | { action: string; type: string; id: string };

export interface ToolSpec<In> {
  /** Fixed by the seed, never derived. */
  name: string;
  /** What the model reads; the summary where absent. */
  description?: string;
  hints: { readOnly: boolean; destructive: boolean; idempotent: boolean };
  /** `result`: a hold becomes a normal answer with its key; `error`: a tool error. */
  onHold: 'result' | 'error';
  gate: ToolGate;
  /** Where the arguments are not the input's. `toInput` is pure. */
  arguments?: z.ZodObject;
  toInput?: (args: never) => In;
  /** Where the tool's answer is not the operation's. Pure. */
  toAnswer?: (answer: never) => unknown;
  /** Listed only when the server is built with this option. */
  option?: 'execCommand' | 'fleet';
}

export interface CommandSpec<In> {
  /** Words after `better-compute`; default: the id, `reservations extend`. */
  path?: string[];
  positional?: string[];
  arguments?: z.ZodObject;
  toInput?: (args: never) => In;
}

export interface Example<In> {
  title: string;
  input: In;
}

/** One operation, one frozen value: every surface is a loop over these (architecture.md §1). */
export interface Operation<Id extends string = string, In = any, Out = any, Code extends string = string> {
  readonly id: Id;
  readonly summary: string;
  readonly effect: Effect;
  readonly key: KeyRule;
  /** Callable without a credential. */
  readonly isPublic: boolean;
  /** Only a person's own signed-in session may call it (`user` in compute.md §3.3). */
  readonly userOnly: boolean;
  /** Only where the pool delegates its operation to the caller's tenant (`op` in compute.md §3.3). */
  readonly operatorOnly: boolean;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** Present on a stream: the schema of each event, in place of `output`. */
  readonly events?: z.ZodType;
  readonly errors: readonly Code[];
  readonly action?: string;
  /** In place of `action`: `actionOf` says which. */
  readonly actionBy?: ActionByMember;
  readonly on?: Target<In>;
  /** Names of input fields recorded with their value; every other one is recorded as present. */
  readonly audit: readonly string[];
  /** None: not offered to agents. */
  readonly tools: readonly ToolSpec<In>[];
  /** `false` = no CLI verb. */
  readonly command: CommandSpec<In> | false;
  readonly examples: readonly Example<In>[];
  /** Where a request may be larger than those of the other operations. */
  readonly bodyBytesMax?: number;
  /** Carry the types; never set. */
  readonly $in?: In;
  readonly $out?: Out;
}

export type InputOf<Op> = Op extends Operation<string, infer In, any, any> ? In : never;
export type OutputOf<Op> = Op extends Operation<string, any, infer Out, any> ? Out : never;
export type CodeOf<Op> = Op extends Operation<string, any, any, infer Code> ? Code : never;

type Shape = z.ZodRawShape;
export interface Members {
  tenantId?: string | undefined;
}
type KeyMember<K extends KeyRule> = K extends 'none' ? unknown : { idempotencyKey?: string | undefined };
type NoteMember<Held extends boolean> = Held extends true ? { note?: string | undefined } : unknown;
/** An object schema without members is typed as one that allows none, which would forbid `tenantId` too. */
type OwnInput<I extends Shape> = keyof I extends never ? {} : z.input<z.ZodObject<I>>;
type FullInput<I extends Shape, K extends KeyRule, Held extends boolean> = OwnInput<I> & Members & KeyMember<K> & NoteMember<Held>;

export interface Spec<
  Id extends string,
  I extends Shape,
  O extends Shape,
  K extends KeyRule,
  Code extends string,
  Action extends string,
  Held extends boolean,
> {
  id: Id;
  summary: string;
  effect: Effect;
  key?: K;
  isPublic?: boolean;
  userOnly?: boolean;
  operatorOnly?: boolean;
  /** A person may have held this call back: adds `note`, the caller's own words to whoever approves. */
  canBeHeld?: Held;
  input?: I;
  output: O;
  events?: z.ZodType;
  errors?: readonly Code[];
  action?: Action;
  actionBy?: ActionByMember<Action> & { member: keyof I & string };
  on?: Target<FullInput<I, K, Held>>;
  audit?: readonly (keyof I & string)[];
  tool?: ToolSpec<z.input<z.ZodObject<I>>> | readonly ToolSpec<z.input<z.ZodObject<I>>>[];
  command?: CommandSpec<z.input<z.ZodObject<I>>> | false;
  examples?: readonly Example<z.input<z.ZodObject<I>>>[];
  bodyBytesMax?: number;
}

/** The action a call with this input is decided by; undefined where an operation has none. */
export function actionOf({ action, actionBy }: Operation, input: Record<string, unknown>): string | undefined {
  if (!actionBy) return action;
  const value = input[actionBy.member];
  return typeof value === 'string' && Object.hasOwn(actionBy.actions, value) ? actionBy.actions[value] : undefined;
}

/** Every action an operation may be decided by. */
export const actionsOf = ({ action, actionBy }: Operation): string[] =>
  actionBy ? [...new Set(Object.values(actionBy.actions))] : action === undefined ? [] : [action];

/** `operation()` for one service: an error code or action the service does not know does not compile. */
export const operationForm =
  <ServiceCode extends string, Action extends string>() =>
  <
    const Id extends string,
    O extends Shape,
    I extends Shape = {},
    K extends KeyRule = 'none',
    Held extends boolean = false,
    const Code extends ServiceCode = never,
  >(
    spec: Spec<Id, I, O, K, Code, Action, Held>,
  ): Operation<Id, FullInput<I, K, Held>, z.output<z.ZodObject<O>>, Code> => {
    const input: Record<string, z.core.$ZodType> = { ...spec.input };
    input.tenantId ??= z.string().max(64).optional().meta({ description: "The organization to act in; default: the credential's own." });
    if (spec.key && spec.key !== 'none') input.idempotencyKey = IdempotencyKey.optional();
    if (spec.canBeHeld) input.note = wordsText(1024).optional().meta({ description: 'Your own words to the person who may have to approve; shown as such.' });
    return Object.freeze({
      id: spec.id,
      summary: spec.summary,
      effect: spec.effect,
      key: spec.key ?? 'none',
      isPublic: spec.isPublic ?? false,
      userOnly: spec.userOnly ?? false,
      operatorOnly: spec.operatorOnly ?? false,
      input: z.strictObject(input as Shape),
      output: z.object(spec.output),
      ...(spec.events ? { events: spec.events } : {}),
      errors: spec.errors ?? [],
      ...(spec.action ? { action: spec.action } : {}),
      ...(spec.actionBy ? { actionBy: spec.actionBy } : {}),
      ...(spec.on ? { on: spec.on as Target<unknown> } : {}),
      audit: spec.audit ?? [],
      tools: (spec.tool === undefined ? [] : [spec.tool].flat()) as ToolSpec<any>[],
      command: (spec.command ?? {}) as CommandSpec<any>,
      examples: (spec.examples ?? []) as Example<any>[],
      ...(spec.bodyBytesMax === undefined ? {} : { bodyBytesMax: spec.bodyBytesMax }),
    }) as Operation<Id, FullInput<I, K, Held>, z.output<z.ZodObject<O>>, Code>;
  };
