import { idOf, readableIdOf } from '@kit/operation';

/** Ids of compute.md §2. A malformed one is INVALID_INPUT and never looked up. */
export const PoolId = readableIdOf('pool', 'pool');
export const NodeId = idOf('node', 'node');
export const ReservationId = idOf('rsv', 'reservation');
export const NodeTokenId = idOf('ntk', 'enrolment token');
export const InstanceId = idOf('inst', 'instance');
export const TemplateId = readableIdOf('sbxt', 'sandbox template');
export const SandboxId = idOf('sbx', 'sandbox');
export const SnapshotId = idOf('snap', 'snapshot');
export const VolumeId = idOf('vol', 'volume');
export const BatchId = idOf('batch', 'batch');
export const CommandId = idOf('cmd', 'command');
export const ImageId = readableIdOf('img', 'image');
