import type { InputOf, OutputOf } from '@kit/operation';
import { compileHolds, matchPattern } from '@better-iam/core';
import type { ActionReach } from '@better-iam/contract';
import { reachOf } from '../access/reach.ts';
import { subjectOf } from '../access/subject.ts';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound } from '../refuse.ts';
import { delegationState } from '../state/delegation.ts';
import { loadIdentity } from '../state/identity.ts';
import { requiredScopeOf } from './terms.ts';
import { usableAgent } from './usable-agent.ts';

type Preview = OperationOf<'delegations.preview'>;
type Warning = OutputOf<Preview>['warnings'][number];

/** As `grant` would make it, and nothing is made (iam.md §12.6). */
export async function previewDelegation(call: Call, input: InputOf<Preview>): Promise<OutputOf<Preview>> {
  const { plane, tx, tenantId, now, principal } = call;
  if (tenantId !== principal.identity.tenantId) throw accessDenied();
  const scope = requiredScopeOf(plane, input);
  const confirm = input.confirm ?? [];
  compileHolds(confirm);
  await usableAgent(call, input.agentId);
  const agent = await loadIdentity(tx, plane.catalog, principal.tenant, input.agentId);
  if (!agent) throw notFound();
  const link = {
    id: 'dlg_planned',
    tenantId,
    agentId: agent.id,
    subjectId: principal.identity.id,
    status: 'active' as const,
    expiresAt: now + 1,
    policy: scope.policy,
    confirm,
    maxSessionSeconds: null,
    parentId: null,
    ceilings: [],
    keyId: null,
    gobareSessionId: null,
    keyExpiresAt: null,
    keyRevokedAt: null,
  };
  const planned = subjectOf(principal.tenant, principal.identity, now, delegationState(plane.catalog, [link], [agent]));
  const actions = reachOf(plane, planned);
  const own = reachOf(plane, subjectOf(principal.tenant, principal.identity, now));
  const patterns = scope.scopes ?? scope.policy.statements.flatMap((statement) => (statement.effect === 'allow' ? statement.actions : []));
  return { actions, warnings: [...emptyPatterns([...new Set(patterns)], own), ...hiddenReads(confirm, actions), ...unheldDestroyers(confirm, actions)] };
}

const isReached = ({ reach }: ActionReach): boolean => reach !== 'never';

function emptyPatterns(patterns: readonly string[], own: readonly ActionReach[]): Warning[] {
  return patterns
    .filter((pattern) => !own.some((one) => isReached(one) && matchPattern(pattern, one.action)))
    .map((pattern) => ({ kind: 'gives-nothing', what: pattern, text: `${pattern} gives nothing: you may do none of it yourself` }));
}

/** A gate that only looks shows nothing that is held (iam.md §19.5). */
function hiddenReads(confirm: readonly string[], actions: readonly ActionReach[]): Warning[] {
  const reads = actions.filter((one) => one.reach === 'held' && one.action.endsWith(':read')).map((one) => one.action);
  return confirm
    .map((pattern) => ({ pattern, hidden: [...new Set(reads.filter((action) => matchPattern(pattern, action)))] }))
    .filter(({ hidden }) => hidden.length > 0)
    .map(({ pattern, hidden }) => ({
      kind: 'hides-reads',
      what: pattern,
      text: `holding ${pattern} also holds ${hidden.join(', ')}: through a gate the agent will not see those tools. Hold back writes by name`,
    }));
}

/** By the verb an action ends in, which is all that says what it does. */
const destroying = /:(?:delete|remove|release|cancel|revoke|reboot|stop|drain)$/;

function unheldDestroyers(confirm: readonly string[], actions: readonly ActionReach[]): Warning[] {
  const reached = actions.filter((one) => isReached(one) && destroying.test(one.action)).map((one) => one.action);
  return [...new Set(reached)]
    .filter((action) => !confirm.some((pattern) => matchPattern(pattern, action)))
    .map((action) => ({ kind: 'never-held', what: action, text: `${action} cannot be undone, and the agent will never be held back from it` }));
}
