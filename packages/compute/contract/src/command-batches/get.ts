import { onTenant } from '@kit/operation';
import { BatchId } from '../ids.ts';
import { operation } from '../service.ts';
import { Batch } from './batch.ts';

/** `commandBatches.get` (compute.md §3.3): decided on the tenant [seed]. */
export const get = operation({
  id: 'commandBatches.get',
  summary: 'Show one batch of commands.',
  effect: 'read',
  input: { batchId: BatchId },
  output: { batch: Batch },
  action: 'compute:batches:read',
  on: onTenant,
  tool: {
    name: 'get_command_batch',
    description: 'Show one batch: its reason, the approvals it has and needs, its commands by state.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['batch', 'get'], positional: ['batchId'] },
  examples: [{ title: 'One batch', input: { batchId: 'batch_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
