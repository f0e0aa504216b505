import type { Queryable } from '@kit/store';
import { limits } from '../limits.ts';

/** One entry of a pool's ledger. `claim` and `extend` state a claim whole, `end` when it ended: the latest entry of a claim is what holds. */
export interface LedgerRow {
  seq: number;
  kind: 'claim' | 'extend' | 'end';
  claimId: string;
  reservationId: string;
  nodeId: string;
  gpuUuids: string[];
  from: number;
  to: number;
  vcpu: number;
  memoryGiB: number;
  spot: boolean;
}

export const readLedgerAfter = (q: Queryable, poolId: string, seq: number): Promise<LedgerRow[]> =>
  q.rows<LedgerRow>(
    `select seq, kind, claim_id as "claimId", reservation_id as "reservationId", node_id as "nodeId", gpu_uuids as "gpuUuids", from_at as "from",
       to_at as "to", vcpu, memory_gib as "memoryGiB", spot
     from compute.ledger where pool_id = $1 and seq > $2 order by seq limit $3`,
    [poolId, seq, limits.ledgerRowsAtOnce],
  );

export const appendLedger = (q: Queryable, poolId: string, rows: readonly LedgerRow[], now: number): Promise<number> =>
  q.run(
    `insert into compute.ledger (pool_id, seq, kind, claim_id, reservation_id, node_id, gpu_uuids, from_at, to_at, vcpu, memory_gib, spot, at)
     select $1, seq, kind, "claimId", "reservationId", "nodeId", "gpuUuids", "from", "to", vcpu, "memoryGiB", spot, $3
     from jsonb_to_recordset($2::jsonb) as r (seq bigint, kind text, "claimId" text, "reservationId" text, "nodeId" text, "gpuUuids" jsonb,
       "from" bigint, "to" bigint, vcpu double precision, "memoryGiB" double precision, spot boolean)`,
    [poolId, JSON.stringify(rows), now],
  );

/**
 * One row per GPU of each claim: what the exclusion constraint guards. An unknown GPU has no number, which the table refuses. A subquery for each, as a
 * join is planned for thousands of them and reads every GPU there is.
 */
export function insertClaims(q: Queryable, rows: readonly LedgerRow[]): Promise<number> {
  const gpus = rows.flatMap(({ claimId, gpuUuids, from, to }) => gpuUuids.map((uuid) => ({ claimId, uuid, from, to })));
  return q.run(
    `insert into compute.claim (claim_id, gpu, during)
     select c.claim_id, (select number from compute.gpu g where g.uuid = c.uuid), int8range(c.from_at, c.to_at)
     from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as c (claim_id, uuid, from_at, to_at)`,
    [gpus.map((g) => g.claimId), gpus.map((g) => g.uuid), gpus.map((g) => g.from), gpus.map((g) => g.to)],
  );
}

export const deleteClaims = (q: Queryable, claimIds: readonly string[]): Promise<number> =>
  q.run('delete from compute.claim where claim_id = any($1)', [claimIds]);

export const moveClaimEnds = (q: Queryable, claimIds: readonly string[], to: number): Promise<number> =>
  q.run('update compute.claim set during = int8range(lower(during), $2) where claim_id = any($1)', [claimIds, to]);

export const advancePool = (q: Queryable, poolId: string, seq: number, nodeSeq: number): Promise<number> =>
  q.run('update compute.pool set seq = $2, node_seq = $3 where id = $1', [poolId, seq, nodeSeq]);
