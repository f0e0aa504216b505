import type { CommandState } from '@better-compute/contract';

export type CommandTransition = 'release' | 'dispatch' | 'start' | 'succeed' | 'fail' | 'lose' | 'expire' | 'cancel';

/**
 * compute.md §14. A node says nothing between taking a work and its result, so `start` is known with the result alone; a
 * command that was given to a node and never heard of again is lost without it.
 */
const edges: Readonly<Record<CommandState, Partial<Record<CommandTransition, CommandState>>>> = {
  held: { release: 'queued', expire: 'expired', cancel: 'cancelled' },
  queued: { dispatch: 'dispatched', expire: 'expired', cancel: 'cancelled' },
  dispatched: { start: 'running', lose: 'unknown', expire: 'expired' },
  running: { succeed: 'succeeded', fail: 'failed', lose: 'unknown' },
  succeeded: {},
  failed: {},
  unknown: {},
  expired: {},
  cancelled: {},
};

/** Throws where the table has no such edge: that is a fault of ours, never a caller's. */
export function nextState(from: CommandState, transition: CommandTransition): CommandState {
  const to = edges[from][transition];
  if (to === undefined) throw new Error(`a command that is ${from} has no way to ${transition}`);
  return to;
}

export const isEnded = (state: CommandState): boolean => Object.keys(edges[state]).length === 0;
