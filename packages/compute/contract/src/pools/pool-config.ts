import { Duration, durationMs, plainText } from '@kit/operation';
import { z } from 'zod';
import { PoolId } from '../ids.ts';
import { limits } from '../limits.ts';

const tenantIds = z.array(z.string().min(1).max(64)).max(1_000);
const name = plainText(63);

const maxDuration = Duration.refine((text) => durationMs(text) <= limits.maxDurationDays * 86_400_000, 'must be at most 365d');

/** A pool as the deployment sets it, defaults written out (compute.md §4). */
export const PoolConfig = z.strictObject({
  id: PoolId,
  name: plainText(128),
  kind: z.enum(['gpu', 'vps', 'sandbox', 'mixed']),
  placement: z.enum(['direct', 'lease']),
  region: plainText(64).optional(),
  labels: z.record(plainText(limits.labelMax), plainText(limits.labelMax)).default({}),
  tenants: z.union([z.literal('all'), tenantIds]),
  operators: tenantIds.default([]),
  defaults: z.strictObject({ vcpuPerGpu: z.number().min(0).max(512), memoryGiBPerGpu: z.number().min(0).max(8_192) }),
  limits: z
    .strictObject({ maxGpus: z.int().min(1).max(limits.gpusMax).default(limits.gpusMax), maxDuration: maxDuration.default('30d') })
    .default({ maxGpus: limits.gpusMax, maxDuration: '30d' }),
  onNodeLoss: z.enum(['keep', 'replace']).default('keep'),
  nodeGraceSeconds: z.int().min(0).max(86_400).default(300),
  allowUnlimited: z.boolean().default(false),
  flavors: z
    .record(name, z.strictObject({ vcpu: z.int().min(1), memoryGiB: z.int().min(1), diskGiB: z.int().min(1) }))
    .default({})
    .meta({ description: 'Sizes of instances, by name.' }),
  images: z.array(z.string()).max(1_000).default([]),
});
export type PoolConfig = z.output<typeof PoolConfig>;
export type PoolConfigInput = z.input<typeof PoolConfig>;
