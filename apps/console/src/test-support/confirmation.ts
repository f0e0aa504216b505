import type { Confirmation } from '@better-iam/client';

const T0 = Date.UTC(2027, 0, 31, 12, 0, 0);

/** A pending request of noon, to be decided until half past. */
export const confirmation = (change: Partial<Confirmation> = {}): Confirmation => ({
  id: 'cnf_1',
  tenantId: 'tnt_1',
  delegationId: 'dlg_1',
  subjectId: 'usr_me',
  subjectName: 'Alex Kim',
  agent: { id: 'agent_1', name: 'research-agent', model: 'demo-model-1', sponsorName: 'Alex Kim' },
  action: 'compute:reservations:create',
  resource: { type: 'compute-reservation', id: 'rsv_1' },
  digest: 'digest-1',
  likeness: 'likeness-1',
  summary: 'Reserve 16 × B200 for 8 h',
  filedBy: 'service',
  reason: 'requested through reserve_gpus',
  status: 'pending',
  expired: false,
  repeat: { count: 0, rejected: 0 },
  createdAt: T0,
  expiresAt: T0 + 1_800_000,
  validSeconds: 3600,
  ...change,
});

export const noon = T0;
