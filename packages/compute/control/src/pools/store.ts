import type { PoolConfig } from '@better-compute/contract';
import type { Queryable } from '@kit/store';

export interface PoolRow {
  id: string;
  config: PoolConfig;
  /** Last entry of the ledger, last change of its nodes. */
  seq: number;
  nodeSeq: number;
  version: number;
}

const columns = 'id, config, seq, node_seq as "nodeSeq", version';

export const readPool = (q: Queryable, poolId: string): Promise<PoolRow | undefined> =>
  q.one<PoolRow>(`select ${columns} from compute.pool where id = $1`, [poolId]);

export const readPools = (q: Queryable): Promise<PoolRow[]> => q.rows<PoolRow>(`select ${columns} from compute.pool order by created_at desc, id`);

/** Takes the lock that orders a pool, and the database's clock with it. */
export const lockPool = (q: Queryable, poolId: string): Promise<(PoolRow & { databaseNow: number }) | undefined> =>
  q.one(`select ${columns}, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as "databaseNow" from compute.pool where id = $1 for update`, [poolId]);

export async function insertPool(q: Queryable, config: PoolConfig, now: number): Promise<boolean> {
  const text = 'insert into compute.pool (id, config, created_at) values ($1, $2, $3) on conflict (id) do nothing';
  return (await q.run(text, [config.id, JSON.stringify(config), now])) === 1;
}

/** A region is among what selectors of its nodes see: they count as changed with it. */
export async function updatePool(q: Queryable, config: PoolConfig): Promise<void> {
  await q.run('update compute.pool set config = $2, version = version + 1, node_seq = node_seq + 1 where id = $1', [config.id, JSON.stringify(config)]);
  await q.run('update compute.node n set seq = p.node_seq from compute.pool p where p.id = $1 and n.pool_id = p.id', [config.id]);
}
