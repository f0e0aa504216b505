import { page, paging, rows } from '@kit/operation';
import { z } from 'zod';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';

const Flavor = z.object({ poolId: PoolId, name: z.string(), vcpu: z.number(), memoryGiB: z.number(), diskGiB: z.number() });

/** `flavors.list` (compute.md §2: flavors are names inside a pool). */
export const list = operation({
  id: 'flavors.list',
  summary: 'List the sizes of virtual machines that pools offer.',
  effect: 'read',
  input: { poolId: PoolId.optional().meta({ description: 'Only those of this pool (pool_…).' }), ...paging },
  output: page(Flavor),
  action: 'compute:pools:read',
  on: rows('pool'),
  command: {},
  examples: [{ title: 'Of every pool', input: {} }],
});
