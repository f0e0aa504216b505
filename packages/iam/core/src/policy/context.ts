import { isServerAttribute } from '../catalog.ts';
import { IamError } from '../errors.ts';
import { isReservedName, type JsonValue } from '../json.ts';
import { isContextKey } from './context-key.ts';

export type ContextValue = string | number | boolean | readonly string[];

/**
 * The facts of one decision, checked. Policies read it by key through `contextReader`; nothing is copied or formatted that no policy asks for, which is
 * most of what a decision would cost.
 */
export interface Context {
  readonly principal: PrincipalFacts;
  readonly resource: ResolvedResource;
  readonly request: RequestFacts;
  readonly extra: ReadonlyMap<string, ContextValue>;
}

export type SessionKind = 'user' | 'api-key' | 'delegated' | 'pat' | 'role' | 'session-token';

/** Session facts of `iam.md` §10.5; never from input. */
export interface PrincipalFacts {
  readonly id: string;
  readonly tenantId: string;
  /** Kind of the identity: in a delegated session the person's, `user`. */
  readonly kind: 'user' | 'service' | 'agent';
  readonly sessionKind: SessionKind;
  readonly sessionId: string;
  /** Read as false in every session that is not of kind `user`, whatever is handed in. */
  readonly mfa: boolean;
  readonly owner: boolean;
  readonly rootAdmin: boolean;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly authMethod?: string;
  /** Epoch milliseconds; policies see ISO 8601 in UTC. */
  readonly authTime?: number;
  readonly tokenIssueTime: number;
  readonly sessionName?: string;
  readonly delegationId?: string;
  readonly agentId?: string;
  readonly agentSponsorId?: string;
  readonly agentModel?: string;
  readonly agentProvider?: string;
  /** Agent ids above, first delegate first. */
  readonly delegationChain?: readonly string[];
}

export interface RequestFacts {
  /** Server clock, epoch milliseconds; policies see ISO 8601 in UTC. */
  readonly time: number;
  /** Only what the deployment vouches for; dropped when it does not parse as an address. */
  readonly sourceIp?: string;
}

/** What a resolver answers (`iam.md` §9.2). */
export interface ResolvedResource {
  readonly tenantId: string;
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, ContextValue>>;
  readonly ownerId?: string;
  readonly parentId?: string;
  readonly confirmation?: ConfirmationCard;
}

/** What a person will read, and what their approval is tied to (`iam.md` §9.2). */
export interface ConfirmationCard {
  readonly summary: string;
  readonly binding?: JsonValue;
  /** What a like request has in common with it, where the same can be written in several ways (`iam.md` §17.4); default: the binding. Admits nothing. */
  readonly likeness?: JsonValue;
  readonly facts?: readonly { readonly label: string; readonly value: string }[];
  readonly links?: readonly { readonly label: string; readonly path: string }[];
}

export interface ContextFacts {
  readonly principal: PrincipalFacts;
  readonly resource: ResolvedResource;
  readonly request: RequestFacts;
  /** From `resolveContext`: keys of other prefixes than `principal.`, `resource.` and `request.`. */
  readonly extra?: Readonly<Record<string, ContextValue>>;
}

const noExtra: ReadonlyMap<string, ContextValue> = new Map();

/** The context of `iam.md` §10.5. A server-owned or malformed name, or a value of another type, is `INTERNAL_ERROR`: the deployment's fault. */
export function buildContext({ principal, resource, request, extra }: ContextFacts): Context {
  const { attributes } = resource;
  for (const name of Object.keys(attributes)) {
    if (isServerAttribute(name) || isReservedName(name) || !isContextValue(attributes[name])) refuse(`resource.${name}`);
  }
  return { principal, resource, request, extra: extra === undefined ? noExtra : readExtra(extra) };
}

function readExtra(extra: Readonly<Record<string, ContextValue>>): ReadonlyMap<string, ContextValue> {
  const read = new Map<string, ContextValue>();
  for (const key of Object.keys(extra)) {
    const value = extra[key];
    if (!isContextKey(key) || /^(?:principal|resource|request)\./.test(key) || !isContextValue(value)) refuse(key);
    read.set(key, value);
  }
  return read;
}

function isContextValue(value: unknown): value is ContextValue {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

function refuse(key: string): never {
  throw new IamError('INTERNAL_ERROR', `the context key ${JSON.stringify(key)} is not the deployment's to set, or its value is of no known type`, {
    details: { path: key },
  });
}
