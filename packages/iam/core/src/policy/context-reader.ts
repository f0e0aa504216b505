import { parseAddress } from './address.ts';
import type { Context, ContextValue, PrincipalFacts } from './context.ts';

/** Reads one key of a context; undefined when it is absent. */
export type ContextReader = (context: Context) => ContextValue | undefined;

const isPersonPresent = (principal: PrincipalFacts): boolean => principal.sessionKind === 'user';
const isoOf = (timeMs: number | undefined): string | undefined => (timeMs === undefined ? undefined : new Date(timeMs).toISOString());

/** The server-owned keys of `iam.md` §10.5 but for a resource's attributes. Whoever is not a person in their own session is no owner and has no MFA. */
const serverKeys: ReadonlyMap<string, ContextReader> = new Map<string, ContextReader>([
  ['principal.id', ({ principal }) => principal.id],
  ['principal.tenantId', ({ principal }) => principal.tenantId],
  ['principal.kind', ({ principal }) => principal.kind],
  ['principal.sessionKind', ({ principal }) => principal.sessionKind],
  ['principal.sessionId', ({ principal }) => principal.sessionId],
  ['principal.mfa', ({ principal }) => isPersonPresent(principal) && principal.mfa],
  ['principal.owner', ({ principal }) => isPersonPresent(principal) && principal.owner],
  ['principal.rootAdmin', ({ principal }) => isPersonPresent(principal) && principal.rootAdmin],
  ['principal.groups', ({ principal }) => principal.groups],
  ['principal.roles', ({ principal }) => principal.roles],
  ['principal.authMethod', ({ principal }) => principal.authMethod],
  ['principal.authTime', ({ principal }) => isoOf(principal.authTime)],
  ['principal.tokenIssueTime', ({ principal }) => isoOf(principal.tokenIssueTime)],
  ['principal.sessionName', ({ principal }) => principal.sessionName],
  ['principal.delegated', ({ principal }) => principal.sessionKind === 'delegated'],
  ['principal.delegationId', ({ principal }) => principal.delegationId],
  ['principal.agentId', ({ principal }) => principal.agentId],
  ['principal.agentSponsorId', ({ principal }) => principal.agentSponsorId],
  ['principal.agentModel', ({ principal }) => principal.agentModel],
  ['principal.agentProvider', ({ principal }) => principal.agentProvider],
  ['principal.delegationChain', ({ principal }) => principal.delegationChain],
  ['resource.tenantId', ({ resource }) => resource.tenantId],
  ['resource.ownerId', ({ resource }) => resource.ownerId],
  ['resource.parentId', ({ resource }) => resource.parentId],
  ['request.time', ({ request }) => isoOf(request.time)],
  ['request.sourceIp', ({ request }) => (request.sourceIp !== undefined && parseAddress(request.sourceIp) !== undefined ? request.sourceIp : undefined)],
]);

/** How a policy reads `key`: settled when the policy is compiled. Server-owned keys that are not in `iam.md` §10.5 are absent, always. */
export function contextReader(key: string): ContextReader {
  const known = serverKeys.get(key);
  if (known !== undefined) return known;
  if (key.startsWith('principal.') || key.startsWith('request.')) return () => undefined;
  if (!key.startsWith('resource.')) return ({ extra }) => extra.get(key);
  const name = key.slice('resource.'.length);
  return ({ resource }) => (Object.hasOwn(resource.attributes, name) ? resource.attributes[name] : undefined);
}
