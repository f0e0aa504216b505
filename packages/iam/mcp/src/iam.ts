import type { CredentialInput } from '@kit/operation';

export interface ResourceRef {
  type: string;
  id: string;
}

/**
 * What the gate asks of IAM (iam.md §8.3). A `betterIam()` instance and `remoteMcpIam(…)` both are one; only what the
 * gate reads is demanded of the answers. Failures are recognised by `status` and `code`, never by class.
 */
export interface McpIam {
  authenticate(credential: CredentialInput, o?: { kinds?: readonly string[] }): Promise<McpAuthenticated>;
  authorize(request: CredentialInput & { tenantId: string; action: string; resource: ResourceRef; consume?: boolean }): Promise<McpIamDecision>;
  authorizeMany(request: CredentialInput & { tenantId: string; checks: McpCheck[] }): Promise<{ results: readonly { allowed: boolean }[] }>;
  api?: { delegations?: McpDelegations };
}

export interface McpAuthenticated {
  identity: { id: string; tenantId: string; kind: string; name?: string | undefined };
  session: {
    id: string;
    tenantId: string;
    kind: string;
    mfa?: boolean | undefined;
    expiresAt?: number | undefined;
    agentId?: string | undefined;
    delegationId?: string | undefined;
  };
}

export interface McpIamDecision {
  allowed: boolean;
  reason: string;
  matched?: readonly string[];
}

export interface McpCheck {
  action: string;
  resource: ResourceRef;
}

/** Needed only by a gate that files confirmations itself. */
export interface McpDelegations {
  get(credential: CredentialInput, input: { tenantId: string; delegationId: string }): Promise<unknown>;
  requestConfirmation(
    credential: CredentialInput,
    input: { tenantId: string; action: string; resource: ResourceRef; reason: string; validSeconds?: number },
  ): Promise<{ id: string; expiresAt?: number | undefined }>;
}
