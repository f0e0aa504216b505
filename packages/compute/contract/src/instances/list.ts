import { page, paging, rows, scope } from '@kit/operation';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { Instance } from './instance.ts';

/** `instances.list` (compute.md §2, Lists). */
export const list = operation({
  id: 'instances.list',
  summary: 'List virtual machines, newest first.',
  effect: 'read',
  input: { ...scope, poolId: PoolId.optional().meta({ description: 'Only those of this pool (pool_…).' }), ...paging },
  output: page(Instance),
  action: 'compute:instances:read',
  on: rows('instance'),
  tool: {
    name: 'list_instances',
    description: 'List virtual machines, newest first: your own, or with scope those of the organization you may read.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: {},
  examples: [{ title: 'Your own', input: {} }],
});
