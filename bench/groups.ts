import type { Group } from './group.ts';
import { openb } from './openb/openb.ts';
import { placement } from './placement/placement.ts';

/** Every group, in the order it runs. */
export const GROUPS: readonly Group[] = [openb, placement];
