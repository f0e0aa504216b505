import type { RefusalReport } from '@better-compute/contract';
import type { Refusal } from '@better-compute/placement';

/** The refusal as answers carry it (compute.md §5.4): the same in a preview and in the details of a NO_CAPACITY. */
export function reportOf(refusal: Refusal): RefusalReport {
  const { holdMs, ...rest } = refusal;
  return { ...rest, ...(holdMs === undefined || !Number.isFinite(holdMs) ? {} : { holdMs }) };
}
