import type { Tx } from '@kit/store';
import { admitHeld, decide, type Decision, type ResolvedResource } from '@better-iam/core';
import { actorOf } from '../audit/actor.ts';
import { appendEvent, type AuditEntry } from '../audit/append.ts';
import { consume } from '../confirmations/consume.ts';
import { type FiledConfirmation, fileConfirmation, type Filing } from '../confirmations/file.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, refuse } from '../refuse.ts';
import type { Principal } from '../state/principal.ts';
import { type Caller, callerOf } from './caller.ts';
import type { ExtraKeys } from './extra.ts';

/** What a caller is told (iam.md §12.2). */
export interface PortDecision {
  allowed: boolean;
  reason: 'ALLOWED' | 'ROOT_OVERRIDE' | 'CONFIRMATION_REQUIRED' | 'ACCESS_DENIED';
  matched: string[];
  /** The approval that admitted it, when one was spent. */
  confirmationId?: string;
  /** Until when that approval could have been used, epoch ms: as long an admitted request may be tried again (iam.md §18 rule 11). */
  lapsesAt?: number;
}

/** One caller in one tenant in one transaction (iam.md §8.5). */
export interface Access {
  readonly caller: Caller;
  readonly tenantId: string;
  /** Pure: decides without consuming, filing or recording. For lists and advisory checks. */
  check(action: string, resource: ResolvedResource): PortDecision;
  /** Decides; a held action spends a matching approval in the transaction. A denial, and every root override, is recorded in it. */
  decide(action: string, resource: ResolvedResource): Promise<PortDecision>;
  /** Files a confirmation for an action that is held and otherwise allowed (iam.md §17.5). */
  fileConfirmation(o: { action: string; resource: ResolvedResource; reason: string; note?: string; validSeconds: number }): Promise<FiledConfirmation>;
  audit(entry: AuditEntry): Promise<void>;
}

export interface AccessScope {
  plane: Plane;
  principal: Principal;
  tenantId: string;
  requestId: string;
  clientIp: string | undefined;
  extraKeys?: ExtraKeys | undefined;
}

/** Steps 5 and 7 to 11 for this principal, with the reason that stays inside. */
export function decisionOf(s: Omit<AccessScope, 'requestId'>, action: string, resource: ResolvedResource): Decision {
  if (resource.tenantId !== s.tenantId) throw refuse('RESOURCE_MISMATCH', 'the resource is of another organization than was asked');
  const { principal } = s;
  return decide({
    ...principal.sets,
    action,
    resource,
    holds: principal.holds,
    catalog: s.plane.catalog,
    context: {
      principal: principal.facts,
      request: { time: principal.now, ...(s.clientIp === undefined ? {} : { sourceIp: s.clientIp }) },
      ...(s.extraKeys ? { extra: s.extraKeys() } : {}),
    },
  });
}

const told = (d: Decision): PortDecision => ({ allowed: d.allowed, reason: d.reason, matched: [...d.matched] });

/** Decides in the tenant that `tenantOf` has admitted: the principal's own, or any for a root administrator. */
export function accessIn(tx: Tx, s: AccessScope): Access {
  const { plane, principal, tenantId } = s;
  const isForeign = tenantId !== principal.bearer.tenantId;
  if (isForeign && !principal.hasRootOverride) throw accessDenied();
  const override: PortDecision | undefined = principal.hasRootOverride ? { allowed: true, reason: 'ROOT_OVERRIDE', matched: [] } : undefined;
  const record = (entry: AuditEntry): void => {
    appendEvent(plane, tx, tenantId, actorOf(principal), entry, { rootOverride: override !== undefined });
  };

  return {
    caller: callerOf(principal),
    tenantId,
    check: (action, resource) => override ?? told(decisionOf(s, action, resource)),
    async decide(action, resource) {
      const metadata = { resourceType: resource.type, requestId: s.requestId };
      if (override) {
        record({ action, resourceId: resource.id, outcome: 'allow', metadata });
        return override;
      }
      const decision = decisionOf(s, action, resource);
      const spent = decision.held ? await consume(plane, tx, s, action, resource) : undefined;
      if (spent) return { ...told(admitHeld(decision)), confirmationId: spent.id, lapsesAt: spent.expiresAt };
      if (!decision.allowed && !decision.held)
        record({ action, resourceId: resource.id, outcome: 'deny', metadata: { ...metadata, internalReason: decision.internalReason } });
      return told(decision);
    },
    async fileConfirmation(o) {
      if (override || !decisionOf(s, o.action, o.resource).held) throw accessDenied();
      const filing: Filing = { ...o, note: o.note, filedBy: 'service' };
      return await fileConfirmation(plane, tx, s, filing);
    },
    audit: async (entry) => record(entry),
  };
}
