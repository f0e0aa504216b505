import type { Meter } from '../pattern.ts';
import type { Context } from './context.ts';

/** What every compiled test reads: one request under evaluation. */
export interface Run extends Meter {
  readonly context: Context;
  readonly resourceId: string;
  /** `type/id`, what resource patterns are matched against (`iam.md` §10.2). */
  readonly resourcePath: string;
}

export type Test = (run: Run) => boolean;
