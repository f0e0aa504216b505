import { Instant } from '@kit/operation';
import { z } from 'zod';
import { SandboxId, SnapshotId, TemplateId } from '../ids.ts';
import { endedMembers, ownedMembers } from '../owned.ts';

export const SnapshotState = z.enum(['creating', 'ready', 'deleting', 'deleted', 'failed']);
export type SnapshotState = z.output<typeof SnapshotState>;

/** The writable layer of a sandbox, without its volumes (compute.md §7.8). Kept ones outlive their sandbox. */
export const Snapshot = z.object({
  id: SnapshotId,
  ...ownedMembers,
  sandboxId: SandboxId,
  templateId: TemplateId,
  sizeBytes: z.int().nullable(),
  state: SnapshotState,
  progress: z.number().nullable(),
  kept: z.boolean(),
  createdAt: Instant,
  ...endedMembers(['deleted', 'sandbox-ended', 'failed']),
  version: z.int(),
});
export type Snapshot = z.output<typeof Snapshot>;
