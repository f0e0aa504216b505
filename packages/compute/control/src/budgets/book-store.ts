import type { Queryable, Tx } from '@kit/store';

/** Held shared by whatever makes or ends something in a tenant, alone by who begins to count there: nothing slips in between. */
const shareTenant = 'select pg_advisory_xact_lock_shared(hashtextextended($1, 6151220477))';
const haveTenant = 'select pg_advisory_xact_lock(hashtextextended($1, 6151220477))';

/** Whether the tenant has budgets, true until the commit either way. */
export async function isCounted(q: Queryable, tenantId: string): Promise<boolean> {
  const [, book] = await Promise.all([q.run(shareTenant, [tenantId]), q.one('select 1 from compute.budget_book where tenant_id = $1', [tenantId])]);
  return book !== undefined;
}

/** Takes the lock that orders whatever is taken from a tenant's budgets, and says which budgets these are; undefined where it has none. */
export function lockBook(tx: Tx, tenantId: string): Promise<number | undefined> {
  const asked = locked.get(tx) ?? new Map<string, Promise<number | undefined>>();
  locked.set(tx, asked);
  const version = asked.get(tenantId) ?? lock(tx, tenantId);
  asked.set(tenantId, version);
  return version;
}

/** A transaction asks once. */
const locked = new WeakMap<Tx, Map<string, Promise<number | undefined>>>();

async function lock(q: Queryable, tenantId: string): Promise<number | undefined> {
  const [, book] = await Promise.all([
    q.run(shareTenant, [tenantId]),
    q.one<{ version: number }>('select version from compute.budget_book where tenant_id = $1 for update', [tenantId]),
  ]);
  return book?.version;
}

/** Locks the book and gives it its next version; the tenant's first one counts what is there already. */
export async function openBook(q: Queryable, tenantId: string): Promise<void> {
  const raise = 'update compute.budget_book set version = version + 1 where tenant_id = $1';
  if ((await q.run(raise, [tenantId])) === 1) return;
  await q.run(haveTenant, [tenantId]);
  const isFirst = (await q.run('insert into compute.budget_book (tenant_id) values ($1) on conflict (tenant_id) do nothing', [tenantId])) === 1;
  if (isFirst) await q.run(countReservations, [tenantId]);
  else await q.run(raise, [tenantId]);
}

/**
 * Reservations made before anybody counted: as booked, or as used where they have ended, at the moment they were made. Those that ended
 * longer ago than they are kept are not known any more.
 */
const countReservations = `
insert into compute.charge (object_id, tenant_id, owner_id, delegation_id, at, is_live, amounts)
select id, tenant_id, owner_id, delegation_id, created_at, ended is null,
  jsonb_build_object('gpuHours', gpus * ms / 3600000.0, 'vcpuHours', vcpu * ms / 3600000.0, 'liveReservations', 1)
from compute.reservation r,
  lateral (select coalesce(sum((part ->> 'count')::int), 0) as gpus from jsonb_array_elements(r.request -> 'requests') part) g,
  lateral (select (r.request -> 'resources' ->> 'vcpu')::float8 as vcpu, r.request ->> 'duration' as duration) q,
  lateral (select case
    when starts_at is not null then greatest(0, least(expires_at, coalesce((ended ->> 'at')::bigint, expires_at)) - starts_at)
    when ended is not null then 0
    else left(duration, -1)::bigint * case right(duration, 1) when 's' then 1000 when 'm' then 60000 when 'h' then 3600000 else 86400000 end end as ms) t
where r.tenant_id = $1 order by r.number`;
