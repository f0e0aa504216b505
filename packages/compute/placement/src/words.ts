import type { ConstraintLoss, Refusal } from './refusal.ts';
import type { DeviceRequest, PlacementRequest } from './request.ts';

/** `90m` as people type it: the largest unit that leaves no rest. */
export function durationText(durationMs: number): string {
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const) {
    if (durationMs >= size && durationMs % size === 0) return `${durationMs / size}${unit}`;
  }
  return `${Math.floor(durationMs / 1000)}s`;
}

/** What no one can place, what took the room away, and what to do. */
export function refusalText(request: PlacementRequest, refusal: Omit<Refusal, 'text'>): string {
  const asked = request.requests.map(partText).join(' + ');
  const lines = [
    refusal.kind === 'NEVER_FITS' ? `This pool can never hold ${asked} at once.` : `${asked} for ${durationText(request.durationMs)}: no room at that time.`,
    ...(refusal.constraints.length > 0 ? [`Taken away by: ${refusal.constraints.map(lossText).join('; ')}.`] : []),
    ...(refusal.smallestChange ? [`It would fit ${refusal.smallestChange.text.startsWith('without') ? '' : 'with '}${refusal.smallestChange.text}.`] : []),
    ...(refusal.earliestStart === undefined ? [] : [`As asked it fits from ${new Date(refusal.earliestStart).toISOString()} on.`]),
    ...(refusal.notProven ? ['The search was cut off: a place may still exist.'] : []),
  ];
  return lines.join(' ');
}

function partText(part: DeviceRequest): string {
  if (part.count === 0) return 'vCPU and memory on one node';
  const kind = part.product ?? part.model ?? 'GPU';
  return `${part.count} × ${kind}${part.nvlink && part.count > 1 ? ' in one NVLink domain' : ''}`;
}

function lossText({ constraint, nodesRemoved, gpusRemoved }: ConstraintLoss): string {
  return `${constraint} (${nodesRemoved} nodes, ${gpusRemoved} GPUs)`;
}
