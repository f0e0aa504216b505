import { z } from 'zod';
import { PoolId, TemplateId, VolumeId } from '../ids.ts';

/** What sandboxes are made from (compute.md §7.1). `env` and `userData` are sealed at rest and in no answer of this API. */
export const Template = z.object({
  id: TemplateId,
  tenantId: z.string(),
  name: z.string(),
  poolId: PoolId,
  image: z.string(),
  vcpu: z.number(),
  memoryMiB: z.int(),
  diskMiB: z.int(),
  ttlSeconds: z.object({ default: z.int(), max: z.int() }),
  volumes: z.array(z.object({ volumeId: VolumeId, mountPath: z.string(), readOnly: z.boolean() })),
  egress: z.union([z.enum(['none', 'open']), z.object({ allow: z.array(z.string()) })]),
  ports: z.array(z.int()),
  warm: z.int(),
  version: z.int(),
});
export type Template = z.output<typeof Template>;
