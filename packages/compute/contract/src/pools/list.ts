import { page, paging, rows } from '@kit/operation';
import { z } from 'zod';
import { operation } from '../service.ts';
import { Pool } from './pool.ts';

/** `pools.list` (compute.md §3.3): the pools offered to the organization that the caller may read. */
export const list = operation({
  id: 'pools.list',
  summary: 'List the pools of GPUs and machines you may use.',
  effect: 'read',
  input: { ...paging },
  output: page(Pool),
  action: 'compute:pools:read',
  on: rows('pool'),
  tool: {
    name: 'list_pools',
    description: 'List the pools you may use: their ids, kinds, limits and default host share per GPU. Start here to find a poolId.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
    arguments: z.strictObject({}),
    toInput: () => ({ limit: 200 }),
  },
  command: { path: ['pools', 'list'] },
  examples: [{ title: 'All of them', input: {} }],
});
