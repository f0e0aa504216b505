import { onTenant, wordsText } from '@kit/operation';
import { z } from 'zod';
import { callMembers } from '../call-members.ts';
import { NodeId } from '../ids.ts';
import { limits } from '../limits.ts';
import { operation } from '../service.ts';
import { Batch } from './batch.ts';

const members = {
  nodeIds: z
    .array(NodeId)
    .min(1)
    .max(limits.batchNodesMax)
    .refine((ids) => new Set(ids).size === ids.length, 'must be distinct')
    .meta({ description: '1 to 1000 distinct nodes (node_…).', uniqueItems: true }),
  reason: wordsText(limits.batchReasonMax).meta({ description: 'What the approvers read, 1 to 500 characters.' }),
  kind: z.literal('node.reboot').default('node.reboot').meta({ description: 'Only node.reboot.' }),
  notAfterSeconds: z
    .int()
    .min(limits.batchSecondsMin)
    .max(limits.batchSecondsMax)
    .default(limits.batchSecondsDefault)
    .meta({ description: 'How long approvals and commands are accepted, 60 to 259200 seconds (24 h).' }),
};

/** `commandBatches.create` (compute.md §8.1, §8.2): without approver keys there are no batches (`no-approver-keys`). */
export const create = operation({
  id: 'commandBatches.create',
  summary: 'Propose restarts of nodes for people to approve with their approver keys.',
  effect: 'write',
  key: 'take',
  canBeHeld: true,
  input: members,
  output: { batch: Batch },
  errors: ['INVALID_STATE'],
  action: 'compute:batches:create',
  on: onTenant,
  audit: ['nodeIds', 'kind', 'notAfterSeconds'],
  tool: {
    name: 'propose_command_batch',
    description:
      'Propose restarts of nodes. Nothing runs until people approve with their approver keys; then call exec_command for each node with the batchId.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'error',
    gate: 'any',
    arguments: z.strictObject({ ...members, idempotencyKey: callMembers.idempotencyKey }),
    option: 'execCommand',
  },
  command: { path: ['batch', 'create'] },
  examples: [{ title: 'One node', input: { nodeIds: ['node_AAAAAAAAAAAAAAAAAAAAAA'], reason: 'New kernel' } }],
});
