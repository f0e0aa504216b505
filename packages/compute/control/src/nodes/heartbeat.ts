import { inPool } from '../ledger/in-pool.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import type { Plane } from '../plane.ts';
import { refreshDegraded } from '../reservations/degrade.ts';
import { SYSTEM } from '../transitions.ts';
import type { NodeStore, Verdict } from './protocol/node-store.ts';
import { moved } from './states.ts';
import { type NodeRow, readNode, touchNode } from './store.ts';

type Beat = Parameters<NodeStore['heartbeat']>[0];
type Gpus = NonNullable<NodeRow['inventory']>['gpus'];

/** A node lives. One that was counted as offline is back with its first beat; GPUs that are left out are as they were. */
export async function heartbeatNode(plane: Plane, beat: Beat): Promise<Verdict> {
  const { database } = plane;
  const isTouched = await touchNode(database, beat.nodeId, beat.incarnation, await plane.now(database));
  if (isTouched && beat.gpuHealth === undefined) return 'accepted';
  const node = await readNode(database, beat.nodeId);
  return (node && (await inPool(plane, node.poolId, (pool) => take(pool, beat)))) ?? 'gone';
}

async function take(pool: PoolTx, beat: Beat): Promise<Verdict> {
  const row = (await readNode(pool.tx, beat.nodeId))!;
  const back = moved(row, 'hello');
  if (!back) return 'gone';
  if (beat.incarnation !== row.incarnation) return 'superseded';
  const gpus = healthOf(row, beat.gpuHealth ?? []);
  const inventory = row.inventory && { ...row.inventory, gpus };
  // without a sound GPU it takes nothing until a person has looked at it
  const place = (gpus.length > 0 && gpus.every((gpu) => gpu.health === 'failed') && moved(back, 'quarantine')) || back;
  await pool.changeNode(row, { ...place, inventory, lastSeenAt: pool.now }, { cause: 'heartbeat', by: SYSTEM });
  if (row.state === 'offline') await refreshDegraded(pool, [row.id]);
  return 'accepted';
}

function healthOf(row: NodeRow, told: NonNullable<Beat['gpuHealth']>): Gpus {
  const health = new Map(told.map((gpu) => [gpu.uuid, gpu.health]));
  return (row.inventory?.gpus ?? []).map((gpu) => ({ ...gpu, health: health.get(gpu.uuid) ?? gpu.health }));
}
