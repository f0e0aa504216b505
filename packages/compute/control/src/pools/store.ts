import type { PoolConfig } from '@better-compute/contract';
import { type Queryable, together } from '@kit/store';

export interface PoolRow {
  id: string;
  config: PoolConfig;
  /** Last entry of the ledger, last change of its nodes. */
  seq: number;
  nodeSeq: number;
  version: number;
}

const columns = 'id, config, seq, node_seq as "nodeSeq", version';

/** Those asked for at the same time are read together. */
export const readPool = together(async (q, poolIds: readonly string[]): Promise<(PoolRow | undefined)[]> => {
  const rows = await q.rows<PoolRow>(`select ${columns} from compute.pool where id = any ($1) and deleted_at is null`, [[...new Set(poolIds)]]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return poolIds.map((id) => byId.get(id));
});

export const readPools = (q: Queryable): Promise<PoolRow[]> =>
  q.rows<PoolRow>(`select ${columns} from compute.pool where deleted_at is null order by created_at desc, id`);

/** Takes the lock that orders a pool, and the database's clock with it. */
export const lockPool = (q: Queryable, poolId: string): Promise<(PoolRow & { databaseNow: number }) | undefined> =>
  q.one(
    `select ${columns}, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as "databaseNow" from compute.pool where id = $1 and deleted_at is null for update`,
    [poolId],
  );

/** False where there is one of that id; a deleted one is made anew over its own past. */
export async function insertPool(q: Queryable, config: PoolConfig, now: number): Promise<boolean> {
  const text = `insert into compute.pool as p (id, config, created_at) values ($1, $2, $3)
    on conflict (id) do update set config = $2, deleted_at = null, created_at = $3, version = p.version + 1 where p.deleted_at is not null`;
  return (await q.run(text, [config.id, JSON.stringify(config), now])) === 1;
}

/** A region is among what selectors of its nodes see: they count as changed with it. */
export async function updatePool(q: Queryable, config: PoolConfig): Promise<void> {
  await q.run('update compute.pool set config = $2, version = version + 1, node_seq = node_seq + 1 where id = $1', [config.id, JSON.stringify(config)]);
  await q.run('update compute.node n set seq = p.node_seq from compute.pool p where p.id = $1 and n.pool_id = p.id', [config.id]);
}

/** Its row stays: what happened in it can still be read. */
export const deletePool = (q: Queryable, poolId: string, now: number): Promise<number> =>
  q.run('update compute.pool set deleted_at = $2, version = version + 1 where id = $1', [poolId, now]);
