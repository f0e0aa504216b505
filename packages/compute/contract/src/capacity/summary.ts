import { page, paging, rows } from '@kit/operation';
import { z } from 'zod';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { Capacity } from './capacity.ts';

/** `capacity.summary` (compute.md §5.5): every pool the caller may read. */
export const summary = operation({
  id: 'capacity.summary',
  summary: 'Show what every pool you may use has free, now and over the next 24 hours.',
  effect: 'read',
  input: { ...paging },
  output: page(Capacity),
  action: 'compute:pools:read',
  on: rows('pool'),
  tool: {
    name: 'capacity_summary',
    description: 'Show GPUs in total, healthy, reserved and free, by product, now and over the next 24 hours: of every pool, or of one with poolId.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
    arguments: z.strictObject({ poolId: PoolId.optional().meta({ description: 'Only this pool (pool_…).' }) }),
    toInput: () => ({ limit: 200 }),
  },
  command: { path: ['capacity', 'summary'] },
  examples: [{ title: 'All pools', input: {} }],
});
