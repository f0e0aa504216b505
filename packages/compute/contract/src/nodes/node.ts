import { Instant } from '@kit/operation';
import { z } from 'zod';
import { NodeId, PoolId } from '../ids.ts';

export const NodeState = z.enum(['joining', 'ready', 'draining', 'offline', 'quarantined', 'removed']);
export type NodeState = z.output<typeof NodeState>;

/** Stands on cards that people approve by, so it is a name and can be no sentence. */
const GpuName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/, 'must be a name such as H100-SXM5-80GB');

/** One GPU as its node reports it (compute.md §4). A GPU of unknown domain shares one with nothing. */
export const Gpu = z.object({
  index: z.int().min(0),
  uuid: z.string().min(1).max(128),
  model: GpuName,
  product: GpuName,
  memoryGiB: z.number().min(0),
  nvlinkDomain: z.string().max(128).nullable(),
  health: z.enum(['ok', 'failed']),
});
export type Gpu = z.output<typeof Gpu>;

export const Capability = z.object({ name: z.string().max(64), ok: z.boolean(), reason: z.string().max(512).optional() });

/** What a node agent reports of its machine at hello (compute.md §4, §4.1). */
export const Inventory = z.object({
  gpus: z.array(Gpu).max(32),
  vcpu: z.number().min(0),
  memoryGiB: z.number().min(0),
  diskGiB: z.number().min(0),
});
export type Inventory = z.output<typeof Inventory>;

/** One machine of a pool (compute.md §4). `name` is a label, never an id. */
export const Node = z.object({
  id: NodeId,
  poolId: PoolId,
  name: z.string(),
  state: NodeState,
  labels: z.record(z.string(), z.string()),
  ...Inventory.shape,
  capabilities: z.array(Capability),
  agentVersion: z.string().nullable(),
  lastSeenAt: Instant.nullable(),
  incarnation: z.int(),
  lastDiagnostic: z
    .object({ commandId: z.string(), at: Instant, ok: z.boolean(), result: z.unknown() })
    .nullable()
    .meta({ description: 'The latest finished diagnostic; null when none ran.' }),
  version: z.int(),
});
export type Node = z.output<typeof Node>;
