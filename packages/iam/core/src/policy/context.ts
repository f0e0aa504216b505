import { isAttributeName } from '../catalog.ts';
import { IamError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { parseAddress } from './address.ts';
import { isContextKey } from './template.ts';

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

/** What a person will read, and what their approval is tied to (`iam.md` §9.2). */
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
export function buildContext({ principal, resource, request, extra }: ContextFacts): Context {
  const context = new Map<string, ContextValue>();
  addPrincipal(context, principal);
  addResource(context, resource);
  context.set('request.time', new Date(request.time).toISOString());
  if (request.sourceIp !== undefined && parseAddress(request.sourceIp) !== undefined) context.set('request.sourceIp', request.sourceIp);
  if (extra !== undefined) addExtra(context, extra);
  return context;
}

function addPrincipal(context: Map<string, ContextValue>, principal: PrincipalFacts): void {
  const isPersonPresent = principal.sessionKind === 'user';
  context.set('principal.id', principal.id);
  context.set('principal.tenantId', principal.tenantId);
  context.set('principal.kind', principal.kind);
  context.set('principal.sessionKind', principal.sessionKind);
  context.set('principal.sessionId', principal.sessionId);
  context.set('principal.mfa', isPersonPresent && principal.mfa);
  context.set('principal.owner', isPersonPresent && principal.owner);
  context.set('principal.rootAdmin', isPersonPresent && principal.rootAdmin);
  context.set('principal.groups', principal.groups);
  context.set('principal.roles', principal.roles);
  context.set('principal.delegated', principal.sessionKind === 'delegated');
  context.set('principal.tokenIssueTime', new Date(principal.tokenIssueTime).toISOString());
  if (principal.authTime !== undefined) context.set('principal.authTime', new Date(principal.authTime).toISOString());
  if (principal.authMethod !== undefined) context.set('principal.authMethod', principal.authMethod);
  if (principal.sessionName !== undefined) context.set('principal.sessionName', principal.sessionName);
  if (principal.delegationId !== undefined) context.set('principal.delegationId', principal.delegationId);
  if (principal.agentId !== undefined) context.set('principal.agentId', principal.agentId);
  if (principal.agentSponsorId !== undefined) context.set('principal.agentSponsorId', principal.agentSponsorId);
  if (principal.agentModel !== undefined) context.set('principal.agentModel', principal.agentModel);
  if (principal.agentProvider !== undefined) context.set('principal.agentProvider', principal.agentProvider);
  if (principal.delegationChain !== undefined) context.set('principal.delegationChain', principal.delegationChain);
}

function addResource(context: Map<string, ContextValue>, resource: ResolvedResource): void {
  context.set('resource.tenantId', resource.tenantId);
  if (resource.ownerId !== undefined) context.set('resource.ownerId', resource.ownerId);
  if (resource.parentId !== undefined) context.set('resource.parentId', resource.parentId);
  for (const name of Object.keys(resource.attributes)) {
    const value = resource.attributes[name];
    if (!isAttributeName(name) || !isContextValue(value)) refuse(`resource.${name}`);
    context.set(`resource.${name}`, value);
  }
}

function addExtra(context: Map<string, ContextValue>, extra: Readonly<Record<string, ContextValue>>): void {
  for (const key of Object.keys(extra)) {
    const value = extra[key];
    if (!isContextKey(key) || /^(?:principal|resource|request)\./.test(key) || !isContextValue(value)) refuse(key);
    context.set(key, value);
  }
}

function isContextValue(value: unknown): value is ContextValue {
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((element) => typeof element === 'string');
  return typeof value === 'string' || typeof value === 'boolean';
}

function refuse(key: string): never {
  throw new IamError('INTERNAL_ERROR', `the context key ${JSON.stringify(key)} is not the deployment's to set, or its value is of no known type`, {
    details: { path: key },
  });
}
