-- Equality of a number beside overlap of a range in one exclusion constraint.
create extension if not exists btree_gist;

-- The lock on this row orders everything that happens in a pool: seq is its place in the ledger, node_seq in the changes of its nodes.
create table compute.pool (
  id text primary key,
  config jsonb not null,
  seq bigint not null default 0,
  node_seq bigint not null default 0,
  version int not null default 1,
  created_at bigint not null
);

create table compute.node_token (
  id text primary key,
  number bigint generated always as identity,
  pool_id text not null references compute.pool,
  secret_hash bytea not null unique,
  uses int not null,
  uses_left int not null check (uses_left >= 0),
  expires_at bigint not null,
  created_at bigint not null,
  created_by text not null,
  revoked_at bigint
);
create index on compute.node_token (pool_id, number desc);

create table compute.node (
  id text primary key,
  number bigint generated always as identity,
  pool_id text not null references compute.pool,
  token_id text not null references compute.node_token,
  name text not null,
  public_key text not null unique,
  state text not null,
  -- what an offline node is again when it comes back
  returns_to text,
  labels jsonb not null,
  inventory jsonb,
  capabilities jsonb not null default '[]',
  agent_version text,
  incarnation bigint not null default 0,
  last_seen_at bigint,
  last_diagnostic jsonb,
  seq bigint not null,
  version int not null default 1,
  created_at bigint not null
);
create index on compute.node (pool_id, seq);
create index on compute.node (number desc);
create index on compute.node (last_seen_at) where state in ('ready', 'draining', 'quarantined');

-- One GPU is one row, whatever node reports it: two nodes that claim the same one cannot both have it.
create table compute.gpu (
  number int generated always as identity primary key,
  uuid text not null unique,
  node_id text not null references compute.node
);
create index on compute.gpu (node_id);

-- Who moved what from which state to which, when and why.
create table compute.transition (
  number bigint generated always as identity primary key,
  object_id text not null,
  from_state text not null,
  to_state text not null,
  cause text not null,
  by text not null,
  at bigint not null
);
create index on compute.transition (object_id);
