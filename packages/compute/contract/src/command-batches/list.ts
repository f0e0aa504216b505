import { onTenant, page, paging } from '@kit/operation';
import { operation } from '../service.ts';
import { Batch, BatchState } from './batch.ts';

/** `commandBatches.list` (compute.md §3.3): decided on the tenant [seed]. */
export const list = operation({
  id: 'commandBatches.list',
  summary: 'List batches of commands, newest first.',
  effect: 'read',
  input: { state: BatchState.optional().meta({ description: 'Only those in this state.' }), ...paging },
  output: page(Batch),
  action: 'compute:batches:read',
  on: onTenant,
  tool: {
    name: 'list_command_batches',
    description: 'List batches of restarts with the approvals they have and need.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['batch', 'list'] },
  examples: [{ title: 'What waits for approval', input: { state: 'open' } }],
});
