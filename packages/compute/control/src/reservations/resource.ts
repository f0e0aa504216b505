import { durationMs } from '@kit/operation';
import type { Found } from '../handler.ts';
import type { ResolvedResource } from '../iam-port.ts';
import type { Look, Plane } from '../plane.ts';
import { typeOf } from '../resources/type-name.ts';
import { gpusOf, type Plan } from './plan.ts';
import { type ReservationRow, readReservation } from './store.ts';

export type Attributes = ResolvedResource['attributes'];

/** What policies can test of a request (compute.md §3.2). A gang of several models or products names none. */
export function planAttributes(poolId: string, plan: Plan, ms: number = durationMs(plan.duration)): Attributes {
  const one = <T>(values: (T | undefined)[]): T | undefined => (new Set(values).size === 1 ? values[0] : undefined);
  const gpuModel = one(plan.requests.map((part) => part.model));
  const gpuProduct = one(plan.requests.map((part) => part.product));
  const gpus = gpusOf(plan);
  return {
    poolId,
    gpus,
    ...(gpuModel === undefined ? {} : { gpuModel }),
    ...(gpuProduct === undefined ? {} : { gpuProduct }),
    nvlink: plan.requests.some((part) => part.nvlink),
    binding: plan.binding,
    durationSeconds: ms / 1000,
    gpuHours: (gpus * ms) / 3_600_000,
    ...(plan.startsAt === undefined ? {} : { startsAt: plan.startsAt }),
    spot: plan.spot,
  };
}

export function reservationAttributes(row: ReservationRow): Attributes {
  const ms = row.startsAt === null || row.expiresAt === null ? durationMs(row.request.duration) : row.expiresAt - row.startsAt;
  return { ...planAttributes(row.poolId, row.request, ms), state: row.state };
}

export function foundReservation(plane: Pick<Plane, 'typePrefix'>, row: ReservationRow): Found<ReservationRow> {
  const attributes = reservationAttributes(row);
  const resource = { tenantId: row.tenantId, type: typeOf(plane, 'reservation'), id: row.id, ownerId: row.ownerId, attributes };
  return { row, resource, readAction: 'compute:reservations:read' };
}

/** Undefined where it is another tenant's. */
export async function findReservation({ plane, tx, tenantId }: Look, id: string): Promise<Found<ReservationRow> | undefined> {
  const row = await readReservation(tx, id);
  return row?.tenantId === tenantId ? foundReservation(plane, row) : undefined;
}
