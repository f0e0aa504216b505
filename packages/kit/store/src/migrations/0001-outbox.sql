-- Events written by the transactions they tell of. xid lets readers stop before the oldest transaction that still runs, so that one with a lower
-- number that commits later is not missed.
create table store.outbox (
  id bigserial,
  xid xid8 not null default pg_current_xact_id(),
  topic text not null,
  key text not null,
  payload jsonb not null,
  at bigint not null default floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
  primary key (xid, id)
);
