import type { Queryable, Tx } from '@kit/store';

/**
 * What compute needs of an identity service in its own transaction (iam.md §8.5): a structural port, so that compute
 * knows no other service's package. `apps/better-compute` fills it with `@better-iam/server` on the same database.
 */
export interface IamPort {
  /** Authenticates and reads, in `tx`'s snapshot, all that decisions of this caller in this tenant need. Throws 401/403 refusals. */
  open(tx: Tx, o: OpenAccess): Promise<Access>;
  /** Every organization there is or was, with the name a fleet file knows it by. */
  tenants(q: Queryable): Promise<readonly { id: string; slug: string }[]>;
  /** The person of that id in the tenant, or the person whose delegation it is; undefined where the tenant has none of that id. */
  personOf(q: Queryable, tenantId: string, who: { identityId: string } | { delegationId: string }): Promise<string | undefined>;
  /** Which of these confirmations can still be decided or used. */
  openConfirmations(q: Queryable, ids: readonly string[]): Promise<readonly string[]>;
}

export interface OpenAccess {
  token: string | undefined;
  /** Default: the credential's own tenant. Another one than the caller's is refused before anything is looked up. */
  tenantId?: string;
  requestId: string;
  clientIp?: string;
  /** In a transaction with an effect: the rows are read under a shared lock, so the effect commits before a revocation returns, or not at all. */
  isEffect: boolean;
}

export interface Caller {
  identityId: string;
  /** Tenant of the credential. */
  tenantId: string;
  kind: 'user' | 'service' | 'agent';
  sessionKind: 'user' | 'api-key' | 'delegated' | 'pat';
  sessionId: string;
  name?: string;
  agentId?: string;
  delegationId?: string;
  /** True for a root administrator whose session may override (iam.md §12.3). */
  hasRootOverride: boolean;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

export interface ResolvedResource {
  tenantId: string;
  type: string;
  id: string;
  attributes: Record<string, string | number | boolean | string[]>;
  ownerId?: string;
  parentId?: string;
  confirmation?: {
    summary: string;
    binding?: JsonValue;
    likeness?: JsonValue;
    facts?: { label: string; value: string }[];
    links?: { label: string; path: string }[];
  };
}

export interface PortDecision {
  allowed: boolean;
  /** `CONFIRMATION_REQUIRED` = held, everything else allows. */
  reason: 'ALLOWED' | 'ROOT_OVERRIDE' | 'CONFIRMATION_REQUIRED' | 'ACCESS_DENIED';
  matched: string[];
  /** The approval that admitted it, when one was spent. */
  confirmationId?: string;
  /** Until when that approval could have been used, epoch ms: as long an admitted request may be tried again (iam.md §18 rule 11). */
  lapsesAt?: number;
}

export interface FiledConfirmation {
  id: string;
  summary: string;
  /** Until when it can be decided, epoch ms. */
  expiresAt: number;
  status: string;
}

export interface AuditEntry {
  action: string;
  resourceId: string;
  outcome: 'allow' | 'deny';
  metadata?: Record<string, JsonValue>;
}

/** One caller in one tenant in one transaction. */
export interface Access {
  readonly caller: Caller;
  readonly tenantId: string;
  /** Pure: decides without consuming, filing or recording. For lists and advisory checks. */
  check(action: string, resource: ResolvedResource): PortDecision;
  /** Decides; a held action spends a matching approval in `tx` (commits or rolls back with it). A denial is recorded in `tx`. */
  decide(action: string, resource: ResolvedResource): Promise<PortDecision>;
  /** Files a confirmation for an action that `decide` answered as held (iam.md §17.5; `filedBy: 'service'`). Throws RATE_LIMITED and such. */
  fileConfirmation(o: { action: string; resource: ResolvedResource; reason: string; note?: string; validSeconds: number }): Promise<FiledConfirmation>;
  /** Appends to the tenant's audit chain in `tx`. */
  audit(entry: AuditEntry): Promise<void>;
}
