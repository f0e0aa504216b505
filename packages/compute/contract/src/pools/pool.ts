import { z } from 'zod';
import { PoolId } from '../ids.ts';

const Flavor = z.object({ vcpu: z.number(), memoryGiB: z.number(), diskGiB: z.number() });

/** A set of nodes that is handed out under one set of rules (compute.md §4). */
export const Pool = z.object({
  id: PoolId,
  name: z.string(),
  kind: z.enum(['gpu', 'vps', 'sandbox', 'mixed']),
  placement: z.enum(['direct', 'lease']).meta({ description: 'lease: what does not fit now waits in a queue; direct: it is refused at once.' }),
  region: z.string().optional(),
  labels: z.record(z.string(), z.string()),
  defaults: z.object({ vcpuPerGpu: z.number(), memoryGiBPerGpu: z.number() }).meta({ description: 'Host share booked with each GPU when none is asked.' }),
  limits: z.object({ maxGpus: z.int(), maxDuration: z.string() }),
  onNodeLoss: z.enum(['keep', 'replace']),
  nodeGraceSeconds: z.int(),
  allowUnlimited: z.boolean(),
  flavors: z.record(z.string(), Flavor),
  images: z.array(z.string()),
  tenants: z
    .union([z.literal('all'), z.array(z.string())])
    .optional()
    .meta({ description: 'Whom it is offered to; shown to its operators alone.' }),
  operators: z.array(z.string()).optional().meta({ description: 'Tenants that may operate it; shown to its operators alone.' }),
  operator: z.boolean().meta({ description: 'Whether your organization may operate its nodes.' }),
  version: z.int(),
});

export type Pool = z.output<typeof Pool>;
