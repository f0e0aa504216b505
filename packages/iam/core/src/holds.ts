import type { CompiledPattern } from './pattern.ts';

/** The `confirm` patterns of one delegation, ready. */
export type HoldList = readonly CompiledPattern[];

/** The `confirm` list of one delegation (`iam.md` §14.2), at most 50 patterns; a breach is `INVALID_INPUT` naming the entry. */
export function compileHolds(_confirm: unknown): HoldList {
  throw new Error('not built yet');
}

/** Whether the delegation or one above holds the action (`iam.md` §17.3). */
export function isHeld(_holds: readonly HoldList[], _action: string): boolean {
  throw new Error('not built yet');
}
