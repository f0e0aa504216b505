import { object, page, paging } from '@kit/operation';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { NodeToken } from './token.ts';

/** `nodeTokens.list` (compute.md §3.3): never a secret. */
export const list = operation({
  id: 'nodeTokens.list',
  summary: 'List the tokens with which machines may join a pool, newest first.',
  effect: 'read',
  operatorOnly: true,
  input: { poolId: PoolId, ...paging },
  output: page(NodeToken),
  action: 'compute:nodes:create',
  on: object('pool', (input: { poolId: string }) => input.poolId),
  command: { path: ['node', 'token', 'list'], positional: ['poolId'] },
  examples: [{ title: 'Of one pool', input: { poolId: 'pool_h100-fra' } }],
});
