import type { NodeState } from '@better-compute/contract';

export type NodeTransition = 'hello' | 'drain' | 'undrain' | 'silent' | 'quarantine' | 'remove';

/** compute.md §14. `hello` of an offline node goes back to what it was before (`returnsTo`), never past a drain or quarantine. */
const edges: Readonly<Record<NodeState, Partial<Record<NodeTransition, NodeState>>>> = {
  joining: { hello: 'ready', remove: 'removed' },
  ready: { hello: 'ready', drain: 'draining', silent: 'offline', quarantine: 'quarantined', remove: 'removed' },
  draining: { hello: 'draining', undrain: 'ready', silent: 'offline', quarantine: 'quarantined', remove: 'removed' },
  quarantined: { hello: 'quarantined', undrain: 'ready', silent: 'offline', remove: 'removed' },
  offline: { hello: 'ready', remove: 'removed' },
  removed: {},
};

export interface NodePlace {
  state: NodeState;
  returnsTo: NodeState | null;
}

/** Where a transition leads; undefined where the table has no such edge. */
export function moved({ state, returnsTo }: NodePlace, transition: NodeTransition): NodePlace | undefined {
  const to = edges[state][transition];
  if (to === undefined) return undefined;
  if (transition === 'silent') return { state: to, returnsTo: state };
  if (state === 'offline' && transition === 'hello') return { state: returnsTo ?? to, returnsTo: null };
  return { state: to, returnsTo: null };
}

/** An operator's wish for a node that is offline: what it will be when it comes back. */
export function wished(place: NodePlace, transition: 'drain' | 'undrain'): NodePlace | undefined {
  if (place.state !== 'offline') return moved(place, transition);
  const returnsTo = moved({ state: place.returnsTo ?? 'ready', returnsTo: null }, transition)?.state;
  return returnsTo && { state: 'offline', returnsTo };
}
