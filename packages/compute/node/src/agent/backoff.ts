import { limits } from '../limits.ts';
import { closeCodes, complaintOf } from '../protocol/close-codes.ts';

/** How long to wait before the next try, all of it jittered: a thousand nodes of one plane must not come back at once. `random` is in [0, 1). */
export function waitMs(o: { code: number; failures: number; random: number }): number {
  if (o.code === closeCodes.restart && o.failures === 0) return Math.round(o.random * limits.restartMs);
  if (Object.hasOwn(complaintOf, o.code)) return Math.round(limits.refusedMs * (0.5 + o.random / 2));
  const longest = Math.min(limits.backoffMaxMs, limits.backoffMinMs * 2 ** Math.min(o.failures, 16));
  return Math.round(longest * (0.1 + 0.9 * o.random));
}
