import { object } from '@kit/operation';
import { z } from 'zod';
import { callMembers, givenOf } from '../call-members.ts';
import { gpuArguments, requestMembers, requestOfArguments } from '../reservations/gpu-request.ts';
import { operation } from '../service.ts';
import { Preview } from './capacity.ts';

const toolArguments = z.strictObject(gpuArguments);
const commandArguments = z.strictObject({ ...gpuArguments, tenantId: callMembers.tenantId });

/** `capacity.preview` (compute.md §5.5): the same placement with the same host share as a create, without claiming. */
export const preview = operation({
  id: 'capacity.preview',
  summary: 'Try a reservation without making it: where it would go, what it costs, or why not and what would fit.',
  effect: 'read',
  input: { ...requestMembers },
  output: { preview: Preview },
  errors: ['INVALID_STATE'],
  action: 'compute:pools:read',
  on: object('pool', (input: { poolId: string }) => input.poolId),
  tool: {
    name: 'preview_reservation',
    description: 'Try a reservation without making it: where it would go and what it costs, or why not, the smallest change that fits, and the earliest start.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: { action: 'compute:pools:read', type: 'pool', argument: 'poolId' },
    arguments: toolArguments,
    toInput: (a: z.output<typeof toolArguments>) => requestOfArguments(a),
  },
  command: {
    positional: ['poolId'],
    arguments: commandArguments,
    toInput: (a: z.output<typeof commandArguments>) => ({ ...requestOfArguments(a), ...givenOf(a) }),
  },
  examples: [{ title: 'Eight H100 for a day', input: { poolId: 'pool_h100-fra', requests: [{ class: 'gpu', count: 8, model: 'H100' }], duration: '1d' } }],
});
