import { draft } from '@kit/operation';
import { z } from 'zod';
import { callMembers, givenOf } from '../call-members.ts';
import { operation } from '../service.ts';
import { waitMember, waitOf, waitSeconds } from '../wait.ts';
import { gpuArguments, requestMembers, requestOfArguments } from './gpu-request.ts';
import { Reservation } from './reservation.ts';

const toolArguments = z.strictObject({ ...gpuArguments, idempotencyKey: callMembers.idempotencyKey, waitSeconds: waitSeconds('the placement') });

const commandArguments = z.strictObject({
  ...toolArguments.shape,
  ...callMembers,
  startsAt: z.string().optional().meta({ description: 'Start at a later moment: 2027-01-31T08:00Z, or epoch milliseconds.' }),
  wholeNodes: z.boolean().optional().meta({ description: 'Take the nodes whole.' }),
  spot: z.boolean().optional().meta({ description: 'May be pre-empted by others.' }),
});

/** `reservations.create` (compute.md §5.1, §5.2). Decided on a draft; on a lease pool it may wait in the queue. */
export const create = operation({
  id: 'reservations.create',
  summary: 'Reserve GPUs in a pool for a time.',
  effect: 'write',
  key: 'mint',
  canBeHeld: true,
  input: { ...requestMembers, wait: waitMember('placed or ended') },
  output: { reservation: Reservation },
  errors: ['NO_CAPACITY', 'NEVER_FITS', 'QUOTA_EXCEEDED', 'INVALID_STATE'],
  action: 'compute:reservations:create',
  on: draft('reservation'),
  audit: ['poolId', 'requests', 'resources', 'binding', 'duration', 'startsAt', 'wholeNodes', 'spot'],
  tool: {
    name: 'reserve_gpus',
    description:
      'Reserve whole GPUs in a pool for a duration. A person may have to approve: then the answer says so, with an approvalUrl and the idempotencyKey to call again with.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'result',
    gate: { action: 'compute:pools:read', type: 'pool', argument: 'poolId' },
    arguments: toolArguments,
    toInput: (a: z.output<typeof toolArguments>) => ({ ...requestOfArguments(a), ...givenOf(a), ...waitOf(a.waitSeconds) }),
  },
  command: {
    path: ['reserve'],
    positional: ['poolId'],
    arguments: commandArguments,
    toInput: (a: z.output<typeof commandArguments>) => ({
      ...requestOfArguments(a),
      ...givenOf(a),
      ...waitOf(a.waitSeconds),
      ...(a.startsAt === undefined ? {} : { startsAt: /^\d+$/.test(a.startsAt) ? Number(a.startsAt) : Date.parse(a.startsAt) }),
      ...(a.wholeNodes === undefined ? {} : { wholeNodes: a.wholeNodes }),
      ...(a.spot === undefined ? {} : { spot: a.spot }),
    }),
  },
  examples: [
    {
      title: 'Eight H100 in one NVLink domain for eight hours',
      input: { poolId: 'pool_h100-fra', requests: [{ class: 'gpu', count: 8, model: 'H100', nvlink: true }], duration: '8h' },
    },
    { title: 'Two nodes at a set time', input: { poolId: 'pool_h100-fra', requests: [{ class: 'gpu', count: 16 }], duration: '1d', startsAt: 1798761600000 } },
  ],
});
