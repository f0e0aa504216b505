import type { Confirmation } from '@better-iam/client';

/** What has become of a confirmation, the clock included (iam.md §17.2). `lapsed`: nobody decided. `unused`: approved, and the agent did not come back. */
export type Standing = 'pending' | 'lapsed' | 'approved' | 'unused' | 'rejected' | 'used';

/** Expiry is strict: at the exact millisecond it is gone. */
export function standingOf(c: Pick<Confirmation, 'status' | 'expired' | 'expiresAt'>, now: number): Standing {
  const isOver = c.expired || c.expiresAt <= now;
  if (c.status === 'pending') return isOver ? 'lapsed' : 'pending';
  if (c.status === 'approved') return isOver ? 'unused' : 'approved';
  return c.status;
}

/** When it came to stand as it does. */
export function standingSince(c: Confirmation, standing: Standing): number {
  if (standing === 'pending') return c.createdAt;
  if (standing === 'lapsed' || standing === 'unused') return c.expiresAt;
  return (standing === 'used' ? c.usedAt : undefined) ?? c.decidedAt ?? c.createdAt;
}

export const standingLabels: Record<Standing, string> = {
  pending: 'Waiting',
  lapsed: 'Lapsed',
  approved: 'Approved',
  unused: 'Lapsed unused',
  rejected: 'Rejected',
  used: 'Used',
};
