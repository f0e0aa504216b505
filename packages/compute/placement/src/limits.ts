/** Every bound of this package in one place. */
export const GPUS_PER_NODE_MAX = 32; // a node's GPUs are bits of one 32-bit mask
export const HOLD_MAX_MS = 365 * 86_400_000; // the longest maxDuration a pool may have (compute.md §15)
export const SHORTER_STEP_MS = 60_000; // a shorter duration is offered in whole minutes
export const CAPACITY_HOURS = 24;
export const QUEUE_HELD_MAX = 4; // how many waiting requests have a promised start; more would leave less to backfill
export const SHAPES_MAX = 512; // distinct request shapes whose popularity is kept
export const POPULARITY_HALVES_AT = 50_000;
