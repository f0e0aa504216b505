import { idOf, readableIdOf } from '@kit/operation';

/** Ids of compute.md §2. A malformed one is INVALID_INPUT and never looked up. */
export const PoolId = readableIdOf('pool', 'pool');
export const NodeId = idOf('node', 'node');
export const ReservationId = idOf('rsv', 'reservation');
export const NodeTokenId = idOf('ntk', 'enrolment token');
