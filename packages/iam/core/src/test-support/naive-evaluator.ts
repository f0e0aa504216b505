import type { ContextFacts, ContextValue } from '../policy/context.ts';
import type { PolicyDocument, Statement } from '../policy/document.ts';
import { expand, type NaiveContext, naiveConditionsHold } from './naive-conditions.ts';
import { matchFrom, naiveGlob } from './naive-glob.ts';

export interface NaiveAsk extends ContextFacts {
  readonly action: string;
  readonly knownActions: readonly string[];
  readonly grants: readonly PolicyDocument[];
  /** Each a set of documents that speak with one voice. */
  readonly ceilings: readonly (readonly PolicyDocument[])[];
  readonly confirm: readonly (readonly string[])[];
}

/** `iam.md` §12.1 steps 5 and 7 to 11 over §10, with no index, no compiling and no sharing of code with the product: the second opinion. */
export function naiveDecide(ask: NaiveAsk): string {
  if (!ask.knownActions.includes(ask.action)) return 'UNKNOWN_ACTION';
  const context = naiveContext(ask);
  const speaks = (documents: readonly PolicyDocument[], effect: 'allow' | 'deny') =>
    documents.some((document) => document.statements.some((statement) => statement.effect === effect && naiveApplies(statement, ask, context)));
  if (speaks([...ask.grants, ...ask.ceilings.flat()], 'deny')) return 'explicit-deny';
  if (!speaks(ask.grants, 'allow')) return 'no-grant';
  if (!ask.ceilings.every((documents) => speaks(documents, 'allow'))) return 'boundary-deny';
  return ask.confirm.flat().some((pattern) => naiveGlob(pattern, ask.action)) ? 'held' : 'allowed';
}

function naiveApplies(statement: Statement, ask: NaiveAsk, context: NaiveContext): boolean {
  const path = [...`${ask.resource.type}/${ask.resource.id}`];
  const isOnResource = statement.resources.some((pattern) => {
    const tokens = expand(pattern, context);
    return tokens !== undefined && matchFrom(tokens, path);
  });
  return isOnResource && statement.actions.some((pattern) => naiveGlob(pattern, ask.action)) && naiveConditionsHold(statement, context);
}

function naiveContext({ principal, resource, request, extra }: ContextFacts): NaiveContext {
  const isUser = principal.sessionKind === 'user';
  const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  const entries: Record<string, ContextValue | undefined> = {
    ...extra,
    ...Object.fromEntries(Object.entries(resource.attributes).map(([name, value]) => [`resource.${name}`, value])),
    'resource.tenantId': resource.tenantId,
    'resource.ownerId': resource.ownerId,
    'resource.parentId': resource.parentId,
    ...Object.fromEntries(Object.entries(principal).map(([name, value]) => [`principal.${name}`, value])),
    'principal.mfa': isUser && principal.mfa,
    'principal.owner': isUser && principal.owner,
    'principal.rootAdmin': isUser && principal.rootAdmin,
    'principal.delegated': principal.sessionKind === 'delegated',
    'principal.authTime': iso(principal.authTime),
    'principal.tokenIssueTime': iso(principal.tokenIssueTime),
    'request.time': iso(request.time),
    'request.sourceIp': request.sourceIp,
  };
  return new Map(Object.entries(entries).filter((entry): entry is [string, ContextValue] => entry[1] !== undefined));
}
