import type { Operation } from '@kit/operation';
import type { Tx } from '@kit/store';
import type { JsonValue, ResolvedResource } from '@better-iam/core';
import type { Access } from './access/access.ts';
import type { Plane } from './plane.ts';
import type { Principal } from './state/principal.ts';

/** What the transport knows of a call and may be told by it. */
export interface Transport {
  readonly requestId: string;
  readonly clientIp: string | undefined;
  readonly userAgent: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Told a browser's token to keep as its session cookie, or undefined to forget it. */
  setSession(session: { token: string; expiresAt: number } | undefined): void;
  /** Told who it turned out to be, for the access log. */
  identified(who: { tenantId: string; principalId: string; agentId?: string; delegationId?: string }): void;
}

/** One authenticated call of an operation, in its transaction. */
export interface Call {
  readonly plane: Plane;
  readonly tx: Tx;
  readonly op: Operation;
  readonly principal: Principal;
  /** The tenant acted in: the credential's own, or the one a root administrator names. */
  readonly tenantId: string;
  readonly access: Access;
  readonly now: number;
  readonly transport: Transport;
  /**
   * Goes on only if the caller may do this; else refuses, by default with `ACCESS_DENIED`. The denial is recorded and that record commits, so it comes
   * before the first change.
   */
  require(action: string, resource?: ResolvedResource, refusal?: Error): Promise<void>;
  /** Appends to the tenant's chain in this transaction; outcome `allow`. */
  audit(action: string, resourceId: string, metadata?: Record<string, JsonValue>): Promise<void>;
  /** The same for an administrative call: `iam:{group}:{verb}` with the fields its operation names (iam.md §22). */
  changed(resourceId: string, input: object): Promise<void>;
}

/** IAM's own records as a resource (iam.md §9.1): the record's id, or the tenant's for create and list. */
export const iamResource = (tenantId: string, id: string = tenantId): ResolvedResource => ({ tenantId, type: 'iam', id, attributes: {} });
