import type { Confirmation } from '@better-iam/contract';
import type { ConfirmationRow } from './store.ts';

/** iam.md §17.1. `approver` also sees what the approval is tied to. */
export function confirmationOf(row: ConfirmationRow, now: number, viewer: 'approver' | 'agent'): Confirmation {
  return {
    id: row.id,
    tenantId: row.tenantId,
    delegationId: row.delegationId,
    subjectId: row.subjectId,
    subjectName: row.subjectName,
    agent: {
      id: row.agentId,
      name: row.agentName,
      ...(row.agentModel === null ? {} : { model: row.agentModel }),
      ...(row.agentProvider === null ? {} : { provider: row.agentProvider }),
      ...(row.sponsorName === null ? {} : { sponsorName: row.sponsorName }),
    },
    action: row.action,
    resource: { type: row.resourceType, id: row.resourceId },
    ...(viewer === 'approver' ? { digest: row.digest, likeness: row.likeness } : {}),
    summary: row.summary,
    ...(row.facts ? { facts: row.facts } : {}),
    ...(row.links ? { links: row.links } : {}),
    filedBy: row.filedBy,
    reason: row.reason,
    ...(row.note === null ? {} : { note: row.note }),
    status: row.status,
    // a decided one that is used or rejected has had its end
    expired: (row.status === 'pending' || row.status === 'approved') && row.expiresAt <= now,
    repeat: { count: row.repeatCount, rejected: row.repeatRejected },
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    validSeconds: row.validSeconds,
    ...(row.decidedAt === null ? {} : { decidedAt: row.decidedAt }),
    ...(row.usedAt === null ? {} : { usedAt: row.usedAt }),
    ...(row.decidedBy === null ? {} : { decidedBy: row.decidedBy }),
    ...(row.deputyId === null ? {} : { deputyId: row.deputyId }),
  };
}
