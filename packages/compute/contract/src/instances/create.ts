import { draft, plainText } from '@kit/operation';
import { z } from 'zod';
import { callMembers, givenOf } from '../call-members.ts';
import { ImageId, PoolId, ReservationId } from '../ids.ts';
import { limits } from '../limits.ts';
import { operation } from '../service.ts';
import { waitMember, waitOf, waitSeconds } from '../wait.ts';
import { Instance } from './instance.ts';

const sshKey = z.string().regex(/^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-ssh-ed25519@openssh\.com) [A-Za-z0-9+/=]{16,8192}( [ -~]{1,128})?$/);

const what = {
  poolId: PoolId,
  flavor: plainText(63).meta({ description: 'Size: the name of a flavor of the pool.' }),
  imageId: ImageId,
};

const toolArguments = z.strictObject({ ...what, idempotencyKey: callMembers.idempotencyKey, waitSeconds: waitSeconds('it to run') });
const commandArguments = z.strictObject({ ...toolArguments.shape, ...callMembers });

const inputOf = (a: z.output<typeof commandArguments> | z.output<typeof toolArguments>) => ({
  poolId: a.poolId,
  flavor: a.flavor,
  imageId: a.imageId,
  ...givenOf(a),
  ...waitOf(a.waitSeconds),
});

/** `instances.create` (compute.md §6). `sshKeys` and `userData` are taken from a person's own session alone, never over MCP [seed]. */
export const create = operation({
  id: 'instances.create',
  summary: 'Create a virtual machine in a pool.',
  effect: 'write',
  key: 'mint',
  canBeHeld: true,
  input: {
    ...what,
    name: plainText(128).optional().meta({ description: 'A label, never an id.' }),
    reservationId: ReservationId.optional().meta({ description: 'Run it on the GPUs of this reservation (rsv_…).' }),
    sshKeys: z.array(sshKey).max(limits.sshKeysMax).optional().meta({ description: "Public keys to let in; from a person's own session only." }),
    userData: z.string().max(limits.userDataMax).optional().meta({ description: "Given to the machine at its first boot; from a person's own session only." }),
    wait: waitMember('it runs or has failed'),
  },
  output: { instance: Instance },
  errors: ['NO_CAPACITY', 'QUOTA_EXCEEDED', 'INVALID_STATE'],
  action: 'compute:instances:create',
  on: draft('instance'),
  audit: ['poolId', 'flavor', 'imageId', 'name', 'reservationId'],
  tool: {
    name: 'create_instance',
    description: 'Create a virtual machine in a pool. A person may have to approve: then call again with the idempotencyKey of the answer.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'result',
    gate: { action: 'compute:pools:read', type: 'pool', argument: 'poolId' },
    arguments: toolArguments,
    toInput: inputOf,
  },
  command: { positional: ['poolId'], arguments: commandArguments, toInput: inputOf },
  examples: [{ title: 'A small machine', input: { poolId: 'pool_vps-fra', flavor: 'small', imageId: 'img_debian-13' } }],
});
