export type { Capacity, ProductCapacity } from './capacity.ts';
export { changed } from './change.ts';
export { type Claim, DoubleClaim, type PlacedClaim } from './claim.ts';
export { createLedger } from './create-ledger.ts';
export type { Ledger } from './ledger.ts';
export type { GpuShape, NodeShape } from './node.ts';
export type { QueuePlan, Waiting } from './queue.ts';
export type { Change, ConstraintLoss, PlaceResult, PreemptResult, Refusal } from './refusal.ts';
export type { DeviceRequest, PlacementRequest, Selector } from './request.ts';
