import { draft } from '@kit/operation';
import { z } from 'zod';
import { callMembers, givenOf } from '../call-members.ts';
import { SnapshotId, TemplateId } from '../ids.ts';
import { limits } from '../limits.ts';
import { operation } from '../service.ts';
import { waitMember, waitOf, waitSeconds } from '../wait.ts';
import { Sandbox } from './sandbox.ts';

const ttlSeconds = z
  .int()
  .min(limits.ttlSecondsMin)
  .max(limits.ttlSecondsMax)
  .optional()
  .meta({ description: "How long it lives, 60 s to 30 days, at most the template's maximum; default: the template's." });

const toolArguments = z.strictObject({
  templateId: TemplateId,
  ttlSeconds,
  idempotencyKey: callMembers.idempotencyKey,
  waitSeconds: waitSeconds('it to be ready'),
});
const commandArguments = z.strictObject({ ...toolArguments.shape, ...callMembers });

const inputOf = (a: z.output<typeof commandArguments> | z.output<typeof toolArguments>) => ({
  templateId: a.templateId,
  ...(a.ttlSeconds === undefined ? {} : { ttlSeconds: a.ttlSeconds }),
  ...givenOf(a),
  ...waitOf(a.waitSeconds),
});

/** `sandboxes.create` (compute.md §7.3): from a template, or from a snapshot in its place. */
export const create = operation({
  id: 'sandboxes.create',
  summary: 'Create a sandbox from a template.',
  effect: 'write',
  key: 'mint',
  canBeHeld: true,
  input: {
    templateId: TemplateId.optional(),
    snapshotId: SnapshotId.optional().meta({ description: 'Start from this snapshot (snap_…) in place of a template.' }),
    ttlSeconds,
    wait: waitMember('it is ready or has failed'),
  },
  output: { sandbox: Sandbox },
  errors: ['NO_CAPACITY', 'QUOTA_EXCEEDED', 'INVALID_STATE'],
  action: 'compute:sandboxes:create',
  on: draft('sandbox'),
  audit: ['templateId', 'snapshotId', 'ttlSeconds'],
  tool: {
    name: 'create_sandbox',
    description: 'Create a sandbox from a template. A person may have to approve: then call again with the idempotencyKey of the answer.',
    hints: { readOnly: false, destructive: false, idempotent: true },
    onHold: 'result',
    gate: { action: 'compute:sandboxes:read', type: 'sandbox-template', argument: 'templateId' },
    arguments: toolArguments,
    toInput: inputOf,
  },
  command: { path: ['sandbox', 'create'], positional: ['templateId'], arguments: commandArguments, toInput: inputOf },
  examples: [{ title: 'For an hour', input: { templateId: 'sbxt_python', ttlSeconds: 3600 } }],
});
