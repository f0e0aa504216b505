import type { Ask } from '../choice/ask.ts';
import { choose } from '../choice/choose.ts';
import type { Pool } from '../choice/pool.ts';
import type { Refusal } from '../refusal.ts';
import type { DeviceRequest, PlacementRequest } from '../request.ts';
import { smallestChange } from './change.ts';
import { earliestStart } from './earliest.ts';
import { lossesOf } from './losses.ts';
import { refusalText } from './words.ts';

/** The report on an ask that `choose` found no place for; `isProven` is that choice's. */
export function refuse(pool: Pool, request: PlacementRequest, ask: Ask, isProven: boolean): Refusal {
  const alone = ask.parts.length > 1 ? ask.parts.find((part) => !choose(pool, { ...ask, parts: [part] }).picks) : undefined;
  const losses = lossesOf(pool, ask, alone ?? largestOf(ask));
  // the start of a gang or of whole nodes is a long search, so first whether there can be any; that of anything else says it most of the time
  const isLong = ask.parts.length > 1 || ask.wholeNodes;
  const isNever = isLong && !everFits(pool, ask);
  const { start, isProven: isStartProven } = isNever ? { start: undefined, isProven: true } : earliestStart(pool, ask);
  const { change } = smallestChange(pool, request, ask);
  const kind = start || (isLong ? !isNever : everFits(pool, ask)) ? 'NO_CAPACITY' : 'NEVER_FITS';
  const report: Omit<Refusal, 'text'> = {
    kind,
    constraints: losses.constraints,
    ...(change ? { smallestChange: change } : {}),
    ...(start ? { earliestStart: start.at, holdMs: start.holdMs } : {}),
    ...(kind === 'NEVER_FITS' || (isProven && (start || isStartProven)) ? {} : { notProven: true }),
  };
  return { ...report, text: refusalText(request, report, losses.gpusLeft) };
}

/** Whether the same nodes with nothing claimed, all of them ready and healthy, would hold it: else no future moment will. */
export function everFits(pool: Pool, ask: Ask): boolean {
  const choice = choose(pool, { ...ask, ever: true });
  return choice.picks !== undefined || !choice.isProven;
}

function largestOf(ask: Ask): DeviceRequest {
  return ask.parts.reduce((largest, part) => (part.count > largest.count ? part : largest));
}
