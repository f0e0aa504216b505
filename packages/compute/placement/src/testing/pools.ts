import type { Claim } from '../claim.ts';
import type { GpuShape, NodeShape } from '../node.ts';
import type { DeviceRequest, PlacementRequest } from '../request.ts';

export const HOUR = 3_600_000;

/** A node of H100s in one NVLink domain of its own, with 16 vCPU and 128 GiB per GPU. */
export function node(nodeId: string, gpus: number, more: Partial<NodeShape> = {}, gpuMore: Partial<GpuShape> = {}): NodeShape {
  return {
    nodeId,
    name: nodeId,
    labels: {},
    schedulable: true,
    gpus: Array.from({ length: gpus }, (_, index) => gpu(nodeId, index, gpuMore)),
    vcpu: 16 * gpus,
    memoryGiB: 128 * gpus,
    ...more,
  };
}

export function gpu(nodeId: string, index: number, more: Partial<GpuShape> = {}): GpuShape {
  return { uuid: `${nodeId}-${index}`, index, model: 'H100', product: 'H100-SXM5-80GB', memoryGiB: 80, nvlinkDomain: nodeId, healthy: true, ...more };
}

/** `count` GPUs from now on for an hour. */
export function ask(count: number, part: Partial<DeviceRequest> = {}, more: Partial<PlacementRequest> = {}): PlacementRequest {
  return { requests: [{ count, nvlink: false, selector: [], ...part }], startsAt: 0, durationMs: HOUR, vcpu: 0, memoryGiB: 0, ...more };
}

/** A claim of some GPUs of a node by index. */
export function claimOf(claimId: string, nodeId: string, gpus: readonly number[], from: number, to: number, more: Partial<Claim> = {}): Claim {
  return { claimId, nodeId, gpuUuids: gpus.map((index) => `${nodeId}-${index}`), from, to, vcpu: 0, memoryGiB: 0, ...more };
}
