import { PoolConfig, type PoolConfigInput } from '@better-compute/contract';
import { canonicalJson, parseWith, refusalOf } from '@kit/operation';
import type { Plane } from '../plane.ts';
import { insertPool, lockPool, updatePool } from './store.ts';

/** Thrown while a deployment is set up: names the setting (compute.md §2.1). */
export class InvalidConfig extends Error {
  readonly code = 'INVALID_CONFIG';
  override readonly name = 'InvalidConfig';
}

/** Makes or changes a pool with the deployment's own authority; the same config again changes nothing. */
export async function putPool(plane: Plane, given: PoolConfigInput): Promise<void> {
  const config = configOf(given);
  await plane.database.transaction(async (tx) => {
    if (await insertPool(tx, config, await plane.now(tx))) return;
    const pool = await lockPool(tx, config.id);
    if (pool && canonicalJson(pool.config) !== canonicalJson(config)) await updatePool(tx, config);
  });
}

function configOf(given: PoolConfigInput): PoolConfig {
  try {
    return parseWith(PoolConfig, given) as PoolConfig;
  } catch (error) {
    throw new InvalidConfig(`pool ${given.id}: ${refusalOf(error)?.message ?? 'unreadable'}`, { cause: error });
  }
}
