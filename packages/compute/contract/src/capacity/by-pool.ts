import { object } from '@kit/operation';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { Capacity } from './capacity.ts';

/** `capacity.byPool` (compute.md §5.5). */
export const byPool = operation({
  id: 'capacity.byPool',
  summary: 'Show what one pool has free, now and over the next 24 hours.',
  effect: 'read',
  input: { poolId: PoolId },
  output: { capacity: Capacity },
  action: 'compute:pools:read',
  on: object('pool', (input: { poolId: string }) => input.poolId),
  command: { positional: ['poolId'] },
  examples: [{ title: 'One pool', input: { poolId: 'pool_h100-fra' } }],
});
