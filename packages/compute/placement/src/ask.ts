import type { DeviceRequest, PlacementRequest } from './request.ts';

/** A request made exact: its window, and what each unit (a GPU; the whole of a request without GPUs) takes from its host. */
export interface Ask {
  readonly parts: readonly DeviceRequest[];
  readonly from: number;
  readonly to: number;
  /** Per unit, thousandths of a vCPU and MiB. */
  readonly cpuMilli: number;
  readonly memoryMib: number;
  readonly wholeNodes: boolean;
  readonly spot: boolean;
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
    cpuMilli: Math.ceil((request.vcpu * 1000) / units),
    memoryMib: Math.ceil((request.memoryGiB * 1024) / units),
    wholeNodes: request.wholeNodes === true,
    spot: request.spot === true,
  };
}

/** Units of host a part takes when it puts `gpus` GPUs on one node: a part without GPUs takes one, unless it rides along in a gang with GPUs. */
export function unitsOf(ask: Ask, part: DeviceRequest, gpus: number): number {
  return part.count > 0 ? gpus : ask.parts.some((other) => other.count > 0) ? 0 : 1;
}
