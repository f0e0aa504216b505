import type { DeviceRequest, PoolConfig } from '@better-compute/contract';
import type { PlacementRequest } from '@better-compute/placement';
import { durationMs } from '@kit/operation';
import type { In } from '../handler.ts';
import { limits } from '../limits.ts';
import { invalidInput, invalidState } from '../refuse.ts';

/** A request made exact: the pool's defaults written out, so that what was approved is what is placed (compute.md §5.1). */
export interface Plan {
  requests: DeviceRequest[];
  resources: { vcpu: number; memoryGiB: number };
  binding: 'hold' | 'kubernetes';
  duration: string;
  startsAt?: number;
  wholeNodes: boolean;
  spot: boolean;
}

/** `capacity.preview` and `reservations.create` ask in the same words: the schema has written the other defaults out. */
export function planOf(pool: PoolConfig, given: In<'capacity.preview'>): Plan {
  const input = given as Omit<typeof given, 'requests'> & { requests: DeviceRequest[]; binding: 'hold' | 'kubernetes'; wholeNodes: boolean; spot: boolean };
  const gpus = gpusOf(input);
  return {
    requests: input.requests,
    resources: {
      vcpu: input.resources?.vcpu ?? gpus * pool.defaults.vcpuPerGpu,
      memoryGiB: input.resources?.memoryGiB ?? gpus * pool.defaults.memoryGiBPerGpu,
    },
    binding: input.binding,
    duration: input.duration,
    ...(input.startsAt === undefined ? {} : { startsAt: input.startsAt }),
    wholeNodes: input.wholeNodes,
    spot: input.spot,
  };
}

/** Refuses what this pool takes from nobody. */
export function checkPlan(pool: PoolConfig, plan: Plan, now: number): void {
  if (gpusOf(plan) > pool.limits.maxGpus) throw invalidInput('requests', `this pool gives at most ${pool.limits.maxGpus} GPUs at once`);
  if (durationMs(plan.duration) > durationMs(pool.limits.maxDuration)) throw invalidInput('duration', `this pool gives at most ${pool.limits.maxDuration}`);
  if (plan.startsAt !== undefined && plan.startsAt < now) throw invalidInput('startsAt', 'must not be in the past');
  if (plan.startsAt !== undefined && plan.startsAt > now + limits.startsAheadMs) throw invalidInput('startsAt', 'must be at most 90 days ahead');
  if (plan.binding === 'kubernetes') throw invalidState(pool.placement, 'kubernetes-not-configured', 'the machines of this pool are no Kubernetes workers');
}

export const gpusOf = ({ requests }: Pick<Plan, 'requests'>): number => requests.reduce((sum, part) => sum + part.count, 0);

export function placementOf(plan: Plan): PlacementRequest {
  return {
    requests: plan.requests.map(deviceRequestOf),
    startsAt: plan.startsAt ?? 0,
    durationMs: durationMs(plan.duration),
    ...plan.resources,
    wholeNodes: plan.wholeNodes,
    spot: plan.spot,
  };
}

function deviceRequestOf({ count, model, product, nvlink, selector }: DeviceRequest): PlacementRequest['requests'][number] {
  return {
    count,
    ...(model === undefined ? {} : { model }),
    ...(product === undefined ? {} : { product }),
    nvlink,
    selector: selector.map(({ key, op, values }) => ({ key, op, ...(values === undefined ? {} : { values }) })),
  };
}
