import { type Database, StoreUnavailable } from '@kit/store';
import { limits } from '../limits.ts';
import { refuse } from '../refuse.ts';

/** Caps the calls of one caller in flight (compute.md §11.1). `acquire` answers what gives the place back, or null when all are taken. */
export interface CallLimiter {
  acquire(caller: string, max: number): Promise<(() => Promise<void>) | null>;
}

interface Attempt {
  /** Places that looked free. */
  free: number;
  slot: number | null;
}

/** Takes one of the caller's free places; where another process was quicker, none, though some looked free. */
const TAKE = `
  with time as (select coalesce($4::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint) as now),
  free as (
    select slot from generate_series(1, $2::int) slot
    where not exists (select 1 from compute.call_lease l, time where l.caller = $1 and l.slot = slot.slot and l.lapses_at > time.now)
  ),
  taken as (
    insert into compute.call_lease as l (caller, slot, holder, lapses_at)
    select $1, slot, $3, time.now + $5::bigint from (select slot from free order by random() limit 1) one, time
    on conflict (caller, slot) do update set holder = excluded.holder, lapses_at = excluded.lapses_at
      where l.lapses_at <= excluded.lapses_at - $5::bigint
    returning slot
  )
  select (select count(*) from free)::int as free, (select slot from taken) as slot`;

/** Places are rows that no two processes can hold, so the cap holds over all of them; one that is not given back lapses by itself. */
export function createCallLimiter(o: { database: Database; newHolder: () => string; clock?: (() => number) | undefined }): CallLimiter {
  const { database } = o;
  const release = (caller: string, slot: number, holder: string) => async (): Promise<void> => {
    await database.run('delete from compute.call_lease where caller = $1 and slot = $2 and holder = $3', [caller, slot, holder]);
  };
  return {
    async acquire(caller, max) {
      const holder = o.newHolder();
      try {
        // each failure is a place that somebody else got: after `max` of them none is left
        for (let attempt = 0; attempt <= max; attempt++) {
          const found = await database.one<Attempt>(TAKE, [caller, max, holder, o.clock?.() ?? null, limits.callLeaseMs]);
          if (found && found.slot !== null) return release(caller, found.slot, holder);
          if (!found || found.free === 0) return null;
        }
        return null;
      } catch (error) {
        throw error instanceof StoreUnavailable ? refuse('UNAVAILABLE', 'the store cannot be reached: try again', undefined, limits.storeRetryMs) : error;
      }
    },
  };
}
