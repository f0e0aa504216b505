import { object } from '@kit/operation';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { Pool } from './pool.ts';

/** `pools.get` (compute.md §3.3). A pool that is not offered to the organization is NOT_FOUND. */
export const get = operation({
  id: 'pools.get',
  summary: 'Show one pool.',
  effect: 'read',
  input: { poolId: PoolId },
  output: { pool: Pool },
  action: 'compute:pools:read',
  on: object('pool', (input: { poolId: string }) => input.poolId),
  command: { positional: ['poolId'] },
  examples: [{ title: 'One pool', input: { poolId: 'pool_h100-fra' } }],
});
