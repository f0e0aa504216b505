import { ApiError } from '@kit/operation';
import type { McpDelegations, McpIam } from './iam.ts';
import type { McpMetadata } from './metadata.ts';
import type { McpOAuth } from './oauth.ts';
import type { McpToolRule } from './rule.ts';

/** The tenant a caller is decided in; undefined refuses them (401). Choosing per caller is a deliberate act (B23). */
export type McpTenant = string | ((caller: { identityId: string; sessionTenantId: string }) => string | undefined);

export interface McpAuthorizerOptions {
  iam: McpIam;
  tenantId: McpTenant;
  /** Rules by tool name. */
  tools: Record<string, McpToolRule>;
  /** What happens to a tool without a rule; `'allow'` opens it to any authenticated caller. Default `'deny'`. */
  unlisted?: 'deny' | 'allow';
  /** File a confirmation for a held action. On when `iam.api.delegations` exists; whoever fronts compute passes `false` (B24, B25). */
  confirmations?: boolean;
  /** What a filed confirmation gives as its reason; at most 1024 characters. */
  confirmationReason?: string;
  /** Type of the resource of a rule that names none. Default `mcp-tool`. */
  toolResourceType?: string;
  oauth?: McpOAuth;
  /** Clock for access tokens, epoch milliseconds. */
  now?: () => number;
}

/** Options of iam.md §19.1. */
export interface McpGateOptions extends McpAuthorizerOptions {
  metadata?: McpMetadata;
  /** Default 4 MiB. */
  maxBodyBytes?: number;
  /** Origins that browsers may call from, replacing the gate's own. */
  allowedOrigins?: string[];
}

export interface AuthorizerSettings {
  iam: McpIam;
  tenantOf: (caller: { identityId: string; sessionTenantId: string }) => string | undefined;
  /** Set when one tenant serves everybody. */
  fixedTenantId?: string;
  rules: ReadonlyMap<string, McpToolRule>;
  isOpen: boolean;
  /** Set when this gate files confirmations. */
  delegations?: McpDelegations;
  confirmationReason: string;
  toolResourceType: string;
  oauth?: McpOAuth;
  now: () => number;
}

export const invalidConfig = (message: string): ApiError => new ApiError('INVALID_CONFIG', 500, `createMcpGate: ${message}`);

export function authorizerSettings(o: McpAuthorizerOptions): AuthorizerSettings {
  if (typeof o?.iam?.authenticate !== 'function' || typeof o.iam.authorize !== 'function' || typeof o.iam.authorizeMany !== 'function')
    throw invalidConfig('iam must be a betterIam() instance or a remoteMcpIam()');
  const { tenantId } = o;
  if (typeof tenantId !== 'function' && (typeof tenantId !== 'string' || tenantId === '')) throw invalidConfig('tenantId is required');
  if (o.unlisted !== undefined && o.unlisted !== 'deny' && o.unlisted !== 'allow') throw invalidConfig("unlisted must be 'deny' or 'allow'");
  const delegations = o.confirmations === false ? undefined : o.iam.api?.delegations;
  if (o.confirmations === true && delegations === undefined) throw invalidConfig('confirmations need iam.api.delegations');
  return {
    iam: o.iam,
    tenantOf: typeof tenantId === 'function' ? tenantId : () => tenantId,
    ...(typeof tenantId === 'string' ? { fixedTenantId: tenantId } : {}),
    rules: rulesOf(o.tools),
    isOpen: o.unlisted === 'allow',
    ...(delegations === undefined ? {} : { delegations }),
    confirmationReason: o.confirmationReason ?? 'Requested through an MCP tool.',
    toolResourceType: o.toolResourceType ?? 'mcp-tool',
    ...(o.oauth === undefined ? {} : { oauth: o.oauth }),
    now: o.now ?? Date.now,
  };
}

/** A map holds own properties alone: `constructor` and `__proto__` are no tools (iam.md §19.5). */
function rulesOf(tools: Record<string, McpToolRule>): ReadonlyMap<string, McpToolRule> {
  if (typeof tools !== 'object' || tools === null) throw invalidConfig('tools is required');
  const rules = new Map(Object.entries(tools));
  for (const [name, rule] of rules) {
    if (typeof rule !== 'object' || rule === null) throw invalidConfig(`tools.${name} is no rule`);
  }
  return rules;
}
