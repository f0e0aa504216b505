import type { ConstraintLoss, Refusal } from '../refusal.ts';
import type { DeviceRequest, PlacementRequest } from '../request.ts';

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

/** What finds no place, what took the room away, and what to do. `gpusLeft` are the GPUs that every constraint left. */
export function refusalText(request: PlacementRequest, refusal: Omit<Refusal, 'text'>, gpusLeft: number): string {
  const asked = request.requests.map(partText).join(' and ');
  const isNever = refusal.kind === 'NEVER_FITS';
  const losses = refusal.constraints.map(lossText).join('; ');
  const sentences = [
    isNever
      ? `This pool can never hold ${asked} at once, even when nothing is claimed.`
      : `No room for ${asked} for ${durationText(request.durationMs)} at that time.`,
    losses ? `Not usable: ${losses}; ${amount(gpusLeft, 'GPU')} left.` : '',
    refusal.smallestChange ? `It fits ${changeText(refusal.smallestChange.text)}.` : '',
    refusal.earliestStart === undefined ? '' : `As asked it fits from ${new Date(refusal.earliestStart).toISOString()}.`,
    refusal.notProven ? 'The search was cut off: a place may exist.' : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function changeText(text: string): string {
  return text.startsWith('without') ? text : `with ${text}`;
}

function partText(part: DeviceRequest): string {
  if (part.count === 0) return 'vCPU and memory on one node';
  const kind = part.product ?? part.model;
  return `${amount(part.count, kind ? `${kind} GPU` : 'GPU')}${part.nvlink && part.count > 1 ? ' in one NVLink domain' : ''}`;
}

function lossText({ constraint, nodesRemoved, gpusRemoved }: ConstraintLoss): string {
  return `${amount(gpusRemoved, 'GPU')} (${amount(nodesRemoved, 'node')} altogether): ${constraint}`;
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
