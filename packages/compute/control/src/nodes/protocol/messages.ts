import { Capability, Gpu, Inventory, NodeId } from '@better-compute/contract';
import { JsonError, readJson } from '@kit/operation';
import { z } from 'zod';

/** The revision spoken here; the one before it is understood too. */
const PROTOCOL = 1;

export const isSpoken = (protocol: unknown, own: number = PROTOCOL): boolean => protocol === own || (protocol === own - 1 && own > 1);

const Signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/);
const Counter = z.int().min(0);

const Hello = z.object({
  type: z.literal('hello'),
  nodeId: NodeId,
  incarnation: Counter.min(1),
  protocol: Counter,
  agentVersion: z.string().min(1).max(64),
  capabilities: z.array(Capability).max(64),
  inventory: Inventory,
  signature: Signature,
});
export type Hello = z.output<typeof Hello>;

const GpuHealth = z.array(Gpu.pick({ uuid: true, health: true })).max(32);
export type GpuHealth = z.output<typeof GpuHealth>;

const Heartbeat = z.object({
  type: z.literal('heartbeat'),
  seq: Counter,
  /** `cpu` is how many processors are busy, `memoryGiB` what is in use. */
  load: z.object({ cpu: z.number().min(0), memoryGiB: z.number().min(0) }),
  gpuHealth: GpuHealth,
});
export type Heartbeat = z.output<typeof Heartbeat>;

const Result = z.object({
  type: z.literal('result'),
  seq: Counter,
  workId: z.string().min(1).max(128),
  incarnation: Counter.min(1),
  /** Of the wished state in which the node took the work up. */
  generation: Counter,
  outcome: z.enum(['done', 'failed', 'expired', 'unknown']),
  detail: z.record(z.string(), z.unknown()),
  signature: Signature,
});
export type Result = z.output<typeof Result>;

const AfterHello = z.discriminatedUnion('type', [Heartbeat, Result]);

/** The whole wished state of a node, idempotent by `workId`. `deadline` is epoch milliseconds. */
export interface Desired {
  generation: number;
  works: { workId: string; kind: string; spec: unknown; deadline: number | null }[];
}

/** One JSON object of a frame; undefined when it is none. */
export function readFrame(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = readJson(bytes);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

export const helloOf = (frame: Record<string, unknown>): Hello | undefined => Hello.safeParse(frame).data;

export const messageOf = (frame: Record<string, unknown>): Heartbeat | Result | undefined => AfterHello.safeParse(frame).data;
