import { object } from '@kit/operation';
import { z } from 'zod';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';

const Product = z.object({
  product: z.string(),
  model: z.string(),
  memoryGiB: z.number(),
  gpus: z.int(),
  nodes: z.int(),
  largestNvlinkDomain: z.int().meta({ description: 'GPUs of the largest NVLink domain; 1 where none is known.' }),
});
const Label = z.object({ key: z.string(), values: z.array(z.string()).meta({ description: 'At most 50.' }) });

/** What one can ask of a pool: the words that selectors and requests may use. Made for agents, which cannot see the machines. */
export const describe = operation({
  id: 'pools.describe',
  summary: 'Show what can be asked of a pool: its GPU products and sizes, and the labels that selectors may use.',
  effect: 'read',
  input: { poolId: PoolId },
  output: {
    description: z.object({ poolId: PoolId, name: z.string(), products: z.array(Product), labels: z.array(Label), maxGpus: z.int(), maxDuration: z.string() }),
  },
  action: 'compute:pools:read',
  on: object('pool', (input: { poolId: string }) => input.poolId),
  tool: {
    name: 'describe_pool',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: { action: 'compute:pools:read', type: 'pool', argument: 'poolId' },
  },
  command: { positional: ['poolId'] },
  examples: [{ title: 'One pool', input: { poolId: 'pool_h100-fra' } }],
});
