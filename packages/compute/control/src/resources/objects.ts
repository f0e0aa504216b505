import type { Found } from '../handler.ts';
import { findCommand } from '../commands/resource.ts';
import { findFleet } from '../fleet/resource.ts';
import type { Look } from '../plane.ts';
import { findToken } from '../node-tokens/resource.ts';
import { findNode } from '../nodes/resource.ts';
import { findPool } from '../pools/resource.ts';
import { findReservation } from '../reservations/resource.ts';
import { findNone } from './none.ts';
import { findTenant } from './tenant.ts';

/** What an operation `on: object(type, id)` is decided on, by the type it names. Undefined: not there, or not seen from this tenant. */
export const objects: Readonly<Record<string, (look: Look, id: string) => Promise<Found | undefined>>> = {
  pool: findPool,
  node: findNode,
  reservation: findReservation,
  'node-token': findToken,
  tenant: findTenant,
  fleet: findFleet,
  command: findCommand,
  instance: findNone,
  'sandbox-template': findNone,
  sandbox: findNone,
  snapshot: findNone,
  volume: findNone,
};
