import type { Host } from '../fold/host.ts';
import type { DeviceRequest, PlacementRequest } from '../request.ts';

/** A request made exact: its window, and what each unit (a GPU; the whole of a part without GPUs) takes from its host. */
export interface Ask {
  readonly parts: readonly DeviceRequest[];
  readonly from: number;
  readonly to: number;
  /** Starts at once: most asks do, and share what is known of that moment. */
  readonly isNow: boolean;
  readonly unit: Host;
  readonly wholeNodes: boolean;
  readonly spot: boolean;
  /** As if nothing were claimed and every node ready and healthy: whether it can ever fit. */
  readonly ever?: true;
}

export function askOf(request: PlacementRequest, now: number): Ask {
  const from = Math.max(request.startsAt, now);
  const gpus = request.requests.reduce((sum, part) => sum + part.count, 0);
  const units = gpus || request.requests.length;
  if (units === 0 || !(request.durationMs > 0)) throw new RangeError('a placement request needs a device request and a duration');
  return {
    parts: request.requests,
    from,
    to: from + request.durationMs,
    isNow: from === now,
    unit: { cpuMilli: Math.ceil((request.vcpu * 1000) / units), memoryMib: Math.ceil((request.memoryGiB * 1024) / units) },
    wholeNodes: request.wholeNodes === true && gpus > 0,
    spot: request.spot === true,
  };
}

/** Units of host that a part takes where it puts `gpus` GPUs: a part without GPUs takes one, unless it rides along in a gang with GPUs. */
export function unitsOf(ask: Ask, part: DeviceRequest, gpus: number): number {
  return part.count > 0 ? gpus : ask.parts.some((other) => other.count > 0) ? 0 : 1;
}

/** Whether NVLink narrows the choice: one GPU is always in one domain. */
export function isLinked(part: DeviceRequest): boolean {
  return part.nvlink && part.count > 1;
}
