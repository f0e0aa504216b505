import type { McpCaller, McpIamCaller } from './caller.ts';
import { ask } from './failure.ts';
import type { ResourceRef } from './iam.ts';
import type { AuthorizerSettings } from './options.ts';
import { type McpToolRule, resourceOf } from './rule.ts';

export type McpReason = 'ALLOWED' | 'PUBLIC' | 'ACCESS_DENIED' | 'UNKNOWN_TOOL' | 'NO_RULE_FOR_CALLER' | 'INSUFFICIENT_SCOPE' | 'CONFIRMATION_REQUESTED';

export interface McpDecision {
  allowed: boolean;
  reason: McpReason;
  confirmation?: { id: string; expiresAt?: number };
}

const no = (reason: McpReason): McpDecision => ({ allowed: false, reason });
const yes = (reason: McpReason): McpDecision => ({ allowed: true, reason });

/** Whether a caller may call a tool with these arguments (iam.md §19.5). Throws `IamFailure`. */
export async function decideCall(settings: AuthorizerSettings, caller: McpCaller, name: string, args: Record<string, unknown>): Promise<McpDecision> {
  const rule = settings.rules.get(name);
  if (rule === undefined) return settings.isOpen ? yes('ALLOWED') : no('UNKNOWN_TOOL');
  if (rule.public === true) return yes('PUBLIC');
  if (caller.kind === 'oauth') return decideScopes(rule, caller.scopes);
  if (rule.action === undefined) return no('NO_RULE_FOR_CALLER');
  const resource = resourceOf(rule, { type: settings.toolResourceType, id: name }, args);
  return resource === undefined ? no('ACCESS_DENIED') : decideAction(settings, caller, rule.action, resource);
}

export function decideScopes(rule: McpToolRule, scopes: readonly string[]): McpDecision {
  if (!rule.scopes?.length) return no('NO_RULE_FOR_CALLER');
  return rule.scopes.every((scope) => scopes.includes(scope)) ? yes('ALLOWED') : no('INSUFFICIENT_SCOPE');
}

async function decideAction(settings: AuthorizerSettings, caller: McpIamCaller, action: string, resource: ResourceRef): Promise<McpDecision> {
  const { iam, delegations } = settings;
  // A gate that only looks must not spend the approval of the service behind it; one that files is the deciding point.
  const consume = delegations !== undefined;
  const decision = await ask(() => iam.authorize({ ...caller.credential, tenantId: caller.tenantId, action, resource, consume }));
  if (decision?.allowed === true) return yes('ALLOWED');
  if (decision?.reason === 'CONFIRMATION_REQUIRED' && delegations) return fileConfirmation(settings, caller, action, resource);
  return no('ACCESS_DENIED');
}

/** Binds the rule's resource, not the arguments: fit only for tools whose resource says everything (iam.md §19.5). */
async function fileConfirmation(settings: AuthorizerSettings, caller: McpIamCaller, action: string, resource: ResourceRef): Promise<McpDecision> {
  const { delegations, confirmationReason: reason } = settings;
  const filed = await ask(async () => delegations?.requestConfirmation(caller.credential, { tenantId: caller.tenantId, action, resource, reason }));
  if (typeof filed?.id !== 'string') return no('ACCESS_DENIED');
  const { id, expiresAt } = filed;
  return { allowed: false, reason: 'CONFIRMATION_REQUESTED', confirmation: { id, ...(expiresAt === undefined ? {} : { expiresAt }) } };
}
