import type { JsonValue } from '../json.ts';

export type ContextValue = string | number | boolean | readonly string[];
/** Flat, by full key (`principal.id`). A `Map`, so that no key ever meets a prototype. */
export type Context = ReadonlyMap<string, ContextValue>;

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

export interface ConfirmationCard {
  readonly summary: string;
  readonly binding?: JsonValue;
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

/** The context keys of `iam.md` §10.5. A server-owned or malformed key, or a value of another type, is `INTERNAL_ERROR`: the deployment's fault. */
export function buildContext(_facts: ContextFacts): Context {
  throw new Error('not built yet');
}
