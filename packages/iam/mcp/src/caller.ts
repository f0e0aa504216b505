import type { CredentialInput } from '@kit/operation';

/**
 * Who calls (iam.md §8.3). `tenantId` is the tenant decisions are made in, the same for everybody when the gate's option
 * is a string. It is no proof that the caller belongs there: compute decides again, as the caller.
 */
export type McpCaller = McpIamCaller | McpOAuthCaller;

export interface McpIamCaller {
  kind: 'iam';
  /** The caller's own token, and the cleaned headers it came with; a remote IAM forwards three of them. */
  credential: CredentialInput;
  tenantId: string;
  /** The tenant of the session, which may be another one. */
  sessionTenantId: string;
  identityId: string;
  identityKind: string;
  sessionKind: string;
  agentId?: string;
  delegationId?: string;
}

export interface McpOAuthCaller {
  kind: 'oauth';
  clientId: string;
  subject?: string;
  tenantId?: string;
  scopes: string[];
}
