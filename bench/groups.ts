import type { Group } from './group.ts';
import { openb } from './openb/openb.ts';

/** Every group, in the order it runs. */
export const GROUPS: readonly Group[] = [openb];
