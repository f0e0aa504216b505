create table compute.reservation (
  id text primary key,
  number bigint generated always as identity,
  tenant_id text not null,
  owner_id text not null,
  agent_id text,
  delegation_id text,
  pool_id text not null references compute.pool,
  state text not null,
  -- as asked, with every default written out
  request jsonb not null,
  placements jsonb not null default '[]',
  claim_ids jsonb not null default '[]',
  -- GPUs by product, once placed: what it costs
  products jsonb not null default '{}',
  starts_at bigint,
  expires_at bigint,
  created_at bigint not null,
  degraded jsonb,
  earliest_start bigint,
  ended jsonb,
  version int not null default 1
);
create index on compute.reservation (tenant_id, owner_id, number desc);
create index on compute.reservation (tenant_id, number desc);
create index on compute.reservation (pool_id, number) where state = 'pending';
create index on compute.reservation (expires_at) where state = 'active';
create index on compute.reservation (starts_at) where state = 'scheduled';
create index on compute.reservation (pool_id) where state in ('scheduled', 'active');
create index on compute.reservation (((ended ->> 'at')::bigint)) where ended is not null;

-- The truth of a pool: what was claimed, extended and ended, in order. Free capacity is a fold of it over time.
-- Each entry states its claim whole, with the end it has from here on.
create table compute.ledger (
  pool_id text not null references compute.pool,
  seq bigint not null,
  kind text not null check (kind in ('claim', 'extend', 'end')),
  claim_id text not null,
  reservation_id text not null,
  node_id text not null,
  gpu_uuids jsonb not null,
  from_at bigint not null,
  to_at bigint not null,
  vcpu double precision not null,
  memory_gib double precision not null,
  spot boolean not null,
  at bigint not null,
  primary key (pool_id, seq)
);

-- Live claims only. The constraint is the last line against double booking: it must never fire.
create table compute.claim (
  claim_id text not null,
  gpu int not null references compute.gpu,
  during int8range not null,
  constraint claim_no_overlap exclude using gist (gpu with =, during with &&)
);
create index on compute.claim (claim_id);
