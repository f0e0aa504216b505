import type { EndCode, Placement, ReservationState } from '@better-compute/contract';
import type { Queryable } from '@kit/store';
import type { Plan } from './plan.ts';

export interface NewReservation {
  id: string;
  tenantId: string;
  ownerId: string;
  agentId: string | null;
  delegationId: string | null;
  poolId: string;
  state: ReservationState;
  request: Plan;
  placements: Placement[];
  claimIds: string[];
  products: Record<string, number>;
  startsAt: number | null;
  expiresAt: number | null;
  createdAt: number;
  degraded: { since: number; nodeIds: string[] } | null;
}

export interface ReservationRow extends NewReservation {
  /** Newest first in lists, first come in queues. */
  number: number;
  earliestStart: number | null;
  /** Place in the pool's queue while pending. */
  position: number | null;
  ended: { code: EndCode; by: string; at: number; note: string | null } | null;
  version: number;
}

const columns = `r.id, r.number, r.tenant_id as "tenantId", r.owner_id as "ownerId", r.agent_id as "agentId", r.delegation_id as "delegationId", r.pool_id as "poolId",
  r.state, r.request, r.placements, r.claim_ids as "claimIds", r.products, r.starts_at as "startsAt", r.expires_at as "expiresAt", r.created_at as "createdAt",
  r.degraded, r.earliest_start as "earliestStart", r.ended, r.version,
  case when r.state = 'pending' then (select count(*) from compute.reservation p where p.pool_id = r.pool_id and p.state = 'pending'
    and ((p.request ->> 'spot')::bool, p.number) <= ((r.request ->> 'spot')::bool, r.number)) end as position`;

const from = `select ${columns} from compute.reservation r`;

export const readReservation = (q: Queryable, id: string): Promise<ReservationRow | undefined> => q.one<ReservationRow>(`${from} where r.id = $1`, [id]);

/** In which pool's lock an act on it belongs; a reservation never changes pools. */
export const poolOfReservation = async (q: Queryable, id: string): Promise<string | undefined> =>
  (await q.one<{ poolId: string }>('select pool_id as "poolId" from compute.reservation where id = $1', [id]))?.poolId;

export interface ReservationFilter {
  /** Undefined: of every tenant. */
  tenantId: string | undefined;
  ownerId: string | undefined;
  poolId: string | undefined;
  state: ReservationState | undefined;
  before: number | undefined;
  count: number;
}

export const readReservationPage = (q: Queryable, f: ReservationFilter): Promise<ReservationRow[]> =>
  q.rows<ReservationRow>(
    `${from} where ($1::text is null or r.tenant_id = $1) and ($2::text is null or r.owner_id = $2) and ($3::text is null or r.pool_id = $3)
       and ($4::text is null or r.state = $4) and ($5::bigint is null or r.number < $5) order by r.number desc limit $6`,
    [f.tenantId, f.ownerId, f.poolId, f.state, f.before, f.count],
  );

/** The queue of a pool in its order: spot after everything else, then first come (compute.md §5.3). */
export const readPending = (q: Queryable, poolId: string): Promise<ReservationRow[]> =>
  q.rows<ReservationRow>(`${from} where r.pool_id = $1 and r.state = 'pending' order by (r.request ->> 'spot')::bool, r.number`, [poolId]);

export async function countPending(q: Queryable, poolId: string, tenantId: string, ownerId: string): Promise<{ ofPool: number; ofOwner: number }> {
  const row = await q.one<{ ofPool: number; ofOwner: number }>(
    `select count(*) as "ofPool", count(*) filter (where tenant_id = $2 and owner_id = $3) as "ofOwner"
     from compute.reservation where pool_id = $1 and state = 'pending'`,
    [poolId, tenantId, ownerId],
  );
  return row!;
}

/** Live ones of a pool with a claim on any of these nodes. */
export const readLiveOnNodes = (q: Queryable, poolId: string, nodeIds: readonly string[]): Promise<ReservationRow[]> =>
  q.rows<ReservationRow>(
    `${from} where r.pool_id = $1 and r.state in ('scheduled', 'active') and exists (
       select from jsonb_array_elements(r.placements) p where p ->> 'nodeId' = any($2)) order by r.number`,
    [poolId, nodeIds],
  );

export const readLiveDegraded = (q: Queryable, poolId: string): Promise<ReservationRow[]> =>
  q.rows<ReservationRow>(`${from} where r.pool_id = $1 and r.state in ('scheduled', 'active') and r.degraded is not null order by r.number`, [poolId]);

/** A tenant's placed ones that lie in a time, first to start first. */
export const readPlacedBetween = (q: Queryable, o: { poolId: string; tenantId: string; from: number; to: number; count: number }): Promise<ReservationRow[]> =>
  q.rows<ReservationRow>(
    `${from} where r.pool_id = $1 and r.tenant_id = $2 and r.state in ('scheduled', 'active') and r.starts_at < $4 and r.expires_at > $3
     order by r.starts_at, r.number limit $5`,
    [o.poolId, o.tenantId, o.from, o.to, o.count],
  );

/** Of a pool, what should have ended or started by now. */
export const readDue = (q: Queryable, poolId: string, now: number, count: number): Promise<ReservationRow[]> =>
  q.rows<ReservationRow>(
    `${from} where r.pool_id = $1 and (r.state = 'active' and r.expires_at <= $2 or r.state = 'scheduled' and r.starts_at <= $2) order by r.number limit $3`,
    [poolId, now, count],
  );

export const insertReservations = (q: Queryable, rows: readonly NewReservation[]): Promise<number> =>
  q.run(
    `insert into compute.reservation (id, tenant_id, owner_id, agent_id, delegation_id, pool_id, state, request, placements, claim_ids, products,
       starts_at, expires_at, created_at, degraded)
     select id, "tenantId", "ownerId", "agentId", "delegationId", "poolId", state, request, placements, "claimIds", products,
       "startsAt", "expiresAt", "createdAt", nullif(degraded, 'null')
     from jsonb_to_recordset($1::jsonb) as r (id text, "tenantId" text, "ownerId" text, "agentId" text, "delegationId" text, "poolId" text, state text,
       request jsonb, placements jsonb, "claimIds" jsonb, products jsonb, "startsAt" bigint, "expiresAt" bigint, "createdAt" bigint, degraded jsonb)`,
    [JSON.stringify(rows)],
  );

/** Writes what can change of a reservation, as its next version. */
export const updateReservation = (q: Queryable, r: ReservationRow): Promise<number> =>
  q.run(
    `update compute.reservation set state = $2, placements = $3, claim_ids = $4, products = $5, starts_at = $6, expires_at = $7, degraded = $8,
       earliest_start = $9, ended = $10, version = version + 1 where id = $1`,
    [
      r.id,
      r.state,
      JSON.stringify(r.placements),
      JSON.stringify(r.claimIds),
      JSON.stringify(r.products),
      r.startsAt,
      r.expiresAt,
      r.degraded && JSON.stringify(r.degraded),
      r.earliestStart,
      r.ended && JSON.stringify(r.ended),
    ],
  );
