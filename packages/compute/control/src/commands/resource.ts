import type { PoolConfig } from '@better-compute/contract';
import type { Found } from '../handler.ts';
import type { Look } from '../plane.ts';
import { isOperator } from '../pools/offer.ts';
import { readPool } from '../pools/store.ts';
import { typeOf } from '../resources/type-name.ts';
import { type CommandRow, readCommand } from './store.ts';

/** Undefined where it is another tenant's. */
export async function findCommand(look: Look, id: string): Promise<Found<CommandRow> | undefined> {
  const row = await readCommand(look.tx, id);
  return row?.tenantId === look.tenantId ? foundCommand(look, row, (await readPool(look.tx, row.poolId))?.config) : undefined;
}

export function foundCommand({ plane, tenantId, platformTenantId }: Look, row: CommandRow, pool: PoolConfig | undefined): Found<CommandRow> {
  const { kind, nodeId, poolId } = row;
  const attributes = { kind, nodeId, poolId, operator: pool !== undefined && isOperator(pool, tenantId, platformTenantId) };
  return {
    row,
    readAction: 'compute:commands:read',
    resource: { tenantId: row.tenantId, type: typeOf(plane, 'command'), id: row.id, ownerId: row.ownerId, attributes },
  };
}
