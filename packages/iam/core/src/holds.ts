import { IamError } from './errors.ts';
import { limits } from './limits.ts';
import { type CompiledPattern, compilePattern } from './pattern.ts';

/** The `confirm` patterns of one delegation, ready. */
export type HoldList = readonly CompiledPattern[];

const confirmPattern = /^[A-Za-z0-9*?][A-Za-z0-9:_*?.-]{0,127}$/;

/** The `confirm` list of one delegation (`iam.md` §14.2), at most 50 patterns; a breach is `INVALID_INPUT` naming the entry. */
export function compileHolds(confirm: unknown): HoldList {
  if (!Array.isArray(confirm) || confirm.length > limits.confirmPatternsMax)
    refuse('confirm', `must be a list of at most ${limits.confirmPatternsMax} action patterns`);
  return Array.from(confirm, (pattern: unknown, index) => {
    if (typeof pattern !== 'string' || !confirmPattern.test(pattern)) refuse(`confirm[${index}]`, 'must be a pattern of actions, such as compute:*');
    return compilePattern(pattern);
  });
}

/** Whether the delegation or one above holds the action (`iam.md` §17.3). */
export function isHeld(holds: readonly HoldList[], action: string): boolean {
  return holds.some((list) => list.some((matches) => matches(action)));
}

function refuse(path: string, what: string): never {
  throw new IamError('INVALID_INPUT', `${path} ${what}`, { details: { path } });
}
