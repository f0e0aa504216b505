/**
 * What iam.md §14.3, §16, §17.2–17.6, §17.9 and §17.10 say, written apart from the server: plain values, so that a race can be tried in both orders.
 * Agents, delegations, sessions and confirmations are told by their places; ids and tokens are the server's.
 */
export interface Model {
  now: number;
  agents: AgentModel[];
  delegations: DelegationModel[];
  sessions: SessionModel[];
  confirmations: ConfirmationModel[];
  /** Ids of the confirmations on which something was let through, in order. */
  effects: string[];
  deputies: { id: string; endsAt: number; isEnded: boolean }[];
}

export interface AgentModel {
  id: string;
  isSuspended: boolean;
  /** The last one is in use. */
  keys: { id: string; token: string; isRevoked: boolean }[];
}

export interface DelegationModel {
  id: string;
  agent: number;
  status: 'pending' | 'active' | 'denied' | 'revoked';
  expiresAt: number;
  /** How often it may still be handed on. */
  depth: number;
  parent: number | undefined;
  /** Of the parent's agent, the key behind the session it was handed on in. */
  parentKey: number | undefined;
}

export interface SessionModel {
  token: string;
  delegation: number;
  key: number;
  expiresAt: number;
  isEnded: boolean;
}

export interface ConfirmationModel {
  id: string;
  delegation: number;
  draft: string;
  gpus: number;
  status: 'pending' | 'approved' | 'rejected' | 'used';
  createdAt: number;
  expiresAt: number;
  decidedAt: number | undefined;
  decidedBy: 'alex' | 'blake' | undefined;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** §16, §15.2: it, everything above it, and every key it was handed on with. */
export function isLiveDelegation(m: Model, place: number): boolean {
  const d = m.delegations[place]!;
  if (d.status !== 'active' || d.expiresAt <= m.now || m.agents[d.agent]!.isSuspended) return false;
  if (d.parent === undefined) return true;
  const above = m.delegations[d.parent]!;
  return !m.agents[above.agent]!.keys[d.parentKey!]!.isRevoked && isLiveDelegation(m, d.parent);
}

export function isLiveSession(m: Model, s: SessionModel): boolean {
  const { agent } = m.delegations[s.delegation]!;
  return !s.isEnded && s.expiresAt > m.now && !m.agents[agent]!.keys[s.key]!.isRevoked && isLiveDelegation(m, s.delegation);
}

export const isLiveKey = ({ isSuspended, keys }: AgentModel, key: number): boolean => !isSuspended && !keys[key]!.isRevoked;

/** One person and one agent: asked for or live, hand-offs apart. */
export const isLinked = (m: Model, agent: number): boolean =>
  m.delegations.some((d) => d.agent === agent && d.parent === undefined && (d.status === 'pending' || d.status === 'active') && d.expiresAt > m.now);

/** §14.3: with everything handed on from it, and every session under them. */
export function endDelegation(m: Model, place: number): void {
  const d = m.delegations[place]!;
  if (d.status === 'pending' || d.status === 'active') d.status = 'revoked';
  for (const session of m.sessions) if (session.delegation === place) session.isEnded = true;
  m.delegations.forEach((below, at) => {
    if (below.parent === place) endDelegation(m, at);
  });
}

/** §16: what was handed on from delegations that fit, for good. */
export function endHandoffs(m: Model, isMeant: (above: DelegationModel, below: DelegationModel) => boolean): void {
  m.delegations.forEach((below, place) => {
    if (below.parent !== undefined && below.status === 'active' && isMeant(m.delegations[below.parent]!, below)) endDelegation(m, place);
  });
}

export const hasDeputy = (m: Model): boolean => m.deputies.some((d) => !d.isEnded && d.endsAt > m.now);

/** §17.9. */
export function isCoolingDown(m: Model, delegation: number, gpus: number): boolean {
  const alike = m.confirmations.filter((c) => c.delegation === delegation && c.gpus === gpus && c.decidedAt !== undefined);
  const lastApproval = Math.max(-1, ...alike.filter((c) => c.status !== 'rejected').map((c) => c.decidedAt!));
  const rejections = alike.filter((c) => c.status === 'rejected' && c.decidedAt! > lastApproval).map((c) => c.decidedAt!);
  return rejections.length >= 2 && Math.max(...rejections) + 15 * MINUTE > m.now;
}

/** §17.5 step 8. */
export function isOverBudget(m: Model, delegation: number): boolean {
  const own = m.confirmations.filter((c) => c.delegation === delegation);
  const recent = own.filter((c) => c.createdAt > m.now - 15 * MINUTE);
  const pending = own.filter((c) => c.status === 'pending' && c.expiresAt > m.now);
  return recent.length >= 10 || pending.length >= 20;
}
