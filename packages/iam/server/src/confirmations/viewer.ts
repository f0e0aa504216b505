import type { Call } from '../call.ts';
import { accessDenied } from '../refuse.ts';

/** Whose confirmations a caller sees (iam.md §17.7): what is put to a person, an agent's own, or those of one delegation. */
export interface Viewer {
  as: 'approver' | 'agent';
  subjectId: string | null;
  agentId: string | null;
  delegationId: string | null;
}

/** `ACCESS_DENIED` for kinds of credential that can never see one. */
export function viewerOf({ principal, tenantId }: Call): Viewer {
  const nobody = { subjectId: null, agentId: null, delegationId: null };
  if (tenantId !== principal.bearer.tenantId) throw accessDenied();
  if (principal.bearer.kind === 'user') return { as: 'approver', ...nobody, subjectId: principal.identity.id };
  if (principal.delegation) return { as: 'agent', ...nobody, delegationId: principal.delegation.id };
  if (principal.agent) return { as: 'agent', ...nobody, agentId: principal.agent.id };
  throw accessDenied();
}
