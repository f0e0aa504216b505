import { createCatalog } from '../catalog.ts';
import type { Ask } from '../decide.ts';
import type { ContextFacts, PrincipalFacts } from '../policy/context.ts';
import { parsePolicy } from '../policy/parse.ts';
import { type CompiledSet, compileDocuments } from '../policy/set.ts';

export const catalog = createCatalog({
  actions: ['app:box:read', 'app:box:write', 'app:jar:read'],
  resourceTypes: { box: { actions: ['app:box:read', 'app:box:write'] }, 'box-x': {}, jar: { actions: ['app:jar:read'] } },
  iamActions: ['iam:audit:read'],
});

export const person: PrincipalFacts = {
  id: 'usr_1',
  tenantId: 'tnt_1',
  kind: 'user',
  sessionKind: 'user',
  sessionId: 'ses_1',
  mfa: true,
  owner: false,
  rootAdmin: false,
  groups: ['grp_a', 'grp_b'],
  roles: [],
  tokenIssueTime: Date.UTC(2026, 0, 1),
};

export interface FactsOverride {
  readonly principal?: Partial<PrincipalFacts>;
  readonly resource?: Partial<ContextFacts['resource']>;
  readonly request?: Partial<ContextFacts['request']>;
  readonly extra?: NonNullable<ContextFacts['extra']>;
}

export function factsOf({ principal, resource, request, extra }: FactsOverride = {}): ContextFacts {
  return {
    principal: { ...person, ...principal },
    resource: { tenantId: 'tnt_1', type: 'box', id: 'b1', attributes: {}, ...resource },
    request: { time: Date.UTC(2026, 5, 15, 12), ...request },
    ...(extra === undefined ? {} : { extra }),
  };
}

/** A set of one document per list of statements, parsed as a stored document would be. */
export function setOf(...documents: readonly object[][]): CompiledSet {
  return compileDocuments(
    documents.map((statements, index) => ({ kind: 'policy', id: `pol_${index}`, document: parsePolicy({ version: 1, statements }, catalog) })),
    catalog,
  );
}

export const allowAll = { sid: 'all', effect: 'allow', actions: ['*'], resources: ['*'] };

export function askOf(ask: Partial<Ask> = {}, facts: FactsOverride = {}): Ask {
  const { resource, ...context } = factsOf(facts);
  return { action: 'app:box:read', resource, context, grants: setOf([allowAll]), ceilings: [], holds: [], catalog, ...ask };
}
