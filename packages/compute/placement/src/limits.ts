/** Every bound of this package in one place. */
export const GPUS_PER_NODE_MAX = 32; // a node's GPUs are bits of one 32-bit mask
export const HOLD_MAX_MS = 365 * 86_400_000; // the longest maxDuration a pool may have (compute.md §15)
export const SHORTER_STEP_MS = 60_000; // a shorter duration is offered in whole minutes
export const CAPACITY_HOURS = 24;
export const QUEUE_HELD_MAX = 4; // how many waiting requests have a promised start; more would leave less to backfill
export const SHAPES_MAX = 512; // distinct request shapes whose popularity is kept
export const POPULARITY_HALVES_AT = 50_000;
export const FIRST_REBUILD = 64; // requests learnt before the popularity tables are built anew; then after ever more
export const REBUILD_GROWTH = 2;
export const REBUILD_AFTER_MAX = 8192;
export const ELIGIBLE_CACHE_MAX = 512;
export const CANDIDATES_MAX = 32; // rooms that hold a part on one node, before no more are looked at
export const GANG_WORK_MAX = 4_000_000; // edges walked in the search for a gang
export const POTENTIAL_CELLS_MAX = 2_000_000;
export const WHOLE_WORK_MAX = 100_000; // steps in the search for a gang of whole nodes
export const EARLIEST_TRIES_MAX = 1_000; // start times really tried before the search says: not proven
export const QUEUE_LOOK_MAX = 1_000; // waiting requests one plan looks at; who is behind them waits
