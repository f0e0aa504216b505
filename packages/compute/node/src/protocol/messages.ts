import type { Gpu, Inventory, Node } from '@better-compute/client';

/** The revision this agent speaks (compute.md §4.1). */
export const PROTOCOL = 1;

/** What one machine is and can do, as `hello` reports it. */
export interface Facts {
  inventory: Inventory;
  capabilities: Node['capabilities'];
}

/** `cpu` is how many processors are busy, `memoryGiB` what is in use. */
export interface Load {
  cpu: number;
  memoryGiB: number;
}

export type GpuHealth = Pick<Gpu, 'uuid' | 'health'>[];

/** Something the plane wishes done or kept; `deadline` is epoch milliseconds. */
export interface Work {
  workId: string;
  kind: string;
  spec: unknown;
  deadline: number | null;
}

export interface Result {
  type: 'result';
  seq: number;
  workId: string;
  /** Of the agent's start that did it. */
  incarnation: number;
  /** Of the wished state in which it was taken up. */
  generation: number;
  outcome: 'done' | 'failed' | 'expired' | 'unknown';
  detail: Record<string, unknown>;
  signature: string;
}

type FromPlane = { type: 'challenge'; nonce: string } | { type: 'desired'; generation: number; works: Work[] } | { type: 'ack'; seq: number };

/** A message of the plane; undefined for what this revision does not know, which is passed over. */
export function messageOf(text: string): FromPlane | undefined {
  let frame: Record<string, unknown> | null;
  try {
    frame = JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return undefined;
  }
  if (frame?.type === 'challenge' && typeof frame.nonce === 'string') return { type: 'challenge', nonce: frame.nonce };
  if (frame?.type === 'ack' && typeof frame.seq === 'number') return { type: 'ack', seq: frame.seq };
  if (frame?.type === 'desired' && typeof frame.generation === 'number' && Array.isArray(frame.works))
    return { type: 'desired', generation: frame.generation, works: frame.works as Work[] };
  return undefined;
}
