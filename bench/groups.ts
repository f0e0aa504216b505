import type { Group } from './group.ts';
import { gate } from './gate/gate.ts';
import { host } from './host/host.ts';
import { iam } from './iam/iam.ts';
import { mcp } from './mcp/mcp.ts';
import { openb } from './openb/openb.ts';
import { placement } from './placement/placement.ts';
import { reservations } from './reservations/reservations.ts';
import { scale } from './scale/scale.ts';

/** Every group, in the order it runs. */
export const GROUPS: readonly Group[] = [openb, placement, iam, gate, mcp, reservations, host, scale];
