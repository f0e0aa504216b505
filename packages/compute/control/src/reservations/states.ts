import type { EndCode, ReservationState } from '@better-compute/contract';

export type ReservationTransition = 'place' | 'schedule' | 'cancel' | 'giveUp' | 'start' | 'preempt' | 'lose' | 'release' | 'expire';

/** compute.md §14. */
const edges: Readonly<Record<ReservationState, Partial<Record<ReservationTransition, ReservationState>>>> = {
  pending: { place: 'active', schedule: 'scheduled', cancel: 'cancelled', giveUp: 'failed' },
  scheduled: { start: 'active', cancel: 'cancelled', preempt: 'preempted', lose: 'failed' },
  active: { release: 'released', expire: 'expired', preempt: 'preempted', lose: 'failed' },
  released: {},
  cancelled: {},
  expired: {},
  preempted: {},
  failed: {},
};

/** `endedBecause.code` of each way to end. */
export const endCodes = {
  cancel: 'cancelled',
  giveUp: 'never-fits',
  preempt: 'preempted',
  lose: 'node-lost',
  release: 'released',
  expire: 'ttl',
} as const satisfies Partial<Record<ReservationTransition, EndCode>>;

export type Ending = keyof typeof endCodes;

/** Throws where the table has no such edge: that is a fault of ours, never a caller's. */
export function nextState(from: ReservationState, transition: ReservationTransition): ReservationState {
  const to = edges[from][transition];
  if (to === undefined) throw new Error(`a reservation that is ${from} has no way to ${transition}`);
  return to;
}

export const isEnded = (state: ReservationState): boolean => Object.keys(edges[state]).length === 0;
