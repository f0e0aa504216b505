import { page, paging, rows, scope } from '@kit/operation';
import { z } from 'zod';
import { PoolId } from '../ids.ts';
import { operation } from '../service.ts';
import { Volume } from './volume.ts';

const poolId = PoolId.optional().meta({ description: 'Only those of this pool (pool_…).' });
const toolArguments = z.strictObject({ poolId, ...scope });

/** `sandboxVolumes.list` (compute.md §7.8): your own unless `scope: 'all'`, which also needs the read action on the tenant [seed]. */
export const list = operation({
  id: 'sandboxVolumes.list',
  summary: 'List volumes of sandboxes, newest first.',
  effect: 'read',
  input: { ...scope, poolId, ...paging },
  output: page(Volume),
  action: 'compute:volumes:read',
  on: rows('volume'),
  tool: {
    name: 'list_sandbox_volumes',
    description: 'List volumes, newest first: your own, or with scope those of the organization you may read.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
    arguments: toolArguments,
    toInput: (a: z.output<typeof toolArguments>) => ({ ...a, limit: 200 }),
  },
  command: { path: ['volume', 'list'] },
  examples: [{ title: 'Your own', input: {} }],
});
