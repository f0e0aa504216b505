import type { DeviceRequest, PlacementRequest, Selector } from '@better-compute/placement';
import type { Random } from '../random.ts';

const HOUR_MS = 3_600_000;

export interface Mix {
  /** Percent of requests that start later, and by up to how many hours. */
  laterPercent: number;
  laterHours: number;
}

/** A mix as teams would send it: 1 to 64 GPUs (mean about 4), 1 to 48 hours, NVLink, models, selectors and host resources. */
export function requestAt(now: number, mix: Mix, random: Random): PlacementRequest {
  const count = sizeOf(random);
  const later = random.below(100) < mix.laterPercent ? random.below(mix.laterHours * 60) * 60_000 : 0;
  return {
    requests: [partOf(count, random)],
    startsAt: now + later,
    durationMs: (1 + random.below(48)) * HOUR_MS,
    vcpu: count * (2 + random.below(8)),
    memoryGiB: count * (8 + random.below(33)),
  };
}

function sizeOf(random: Random): number {
  const at = random.below(1000);
  for (const [below, size] of [
    [420, 1],
    [620, 2],
    [680, 3],
    [800, 4],
    [955, 8],
    [985, 16],
    [995, 32],
  ] as const) {
    if (at < below) return size;
  }
  return 64;
}

function partOf(count: number, random: Random): DeviceRequest {
  const selector = random.below(7) < 4 ? Array.from({ length: 1 + random.below(3) }, () => selectorOf(random)) : [];
  const model = random.below(2) === 0 ? { model: modelOf(random) } : {};
  return { count, ...model, nvlink: count > 1 && random.below(100) < 35, selector };
}

function selectorOf(random: Random): Selector {
  const selectors: Selector[] = [
    { key: 'node.region', op: 'In', values: [random.below(2) === 0 ? 'fra' : 'ams'] },
    { key: 'zone', op: 'NotIn', values: [`z${random.below(4)}`] },
    { key: 'zone', op: 'In', values: [`z${random.below(4)}`, `z${random.below(4)}`] },
    { key: 'disk', op: 'Exists' },
    { key: 'generation', op: 'Gte', values: [String(1 + random.below(3))] },
    { key: 'rack', op: 'Lt', values: [String(10 + random.below(30))] },
    { key: 'gpu.memoryGiB', op: 'Gte', values: ['40'] },
  ];
  return selectors[random.below(selectors.length)] as Selector;
}

/** As often as the trace's pool has them, in thousandths. */
function modelOf(random: Random): string {
  const at = random.below(1000);
  for (const [below, model] of [
    [707, 'G2'],
    [843, 'T4'],
    [893, 'G3'],
    [935, 'P100'],
    [967, 'V100M32'],
  ] as const) {
    if (at < below) return model;
  }
  return 'V100M16';
}
