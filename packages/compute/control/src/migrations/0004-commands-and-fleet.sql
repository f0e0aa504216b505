-- What a node is asked to do. Its place in the node's wished state is the generation at which it was put there.
create table compute.command (
  id text primary key,
  number bigint generated always as identity,
  tenant_id text not null,
  owner_id text not null,
  agent_id text,
  delegation_id text,
  node_id text not null references compute.node,
  pool_id text not null references compute.pool,
  kind text not null,
  args jsonb not null,
  state text not null,
  reason text,
  result jsonb,
  created_at bigint not null,
  not_after bigint not null,
  generation bigint,
  -- start of the agent it was given to: what a later start says of it is not about this
  incarnation bigint,
  dispatched_at bigint,
  ended_at bigint,
  version int not null default 1
);
create index on compute.command (tenant_id, number desc);
create index on compute.command (node_id, number) where state in ('held', 'queued', 'dispatched', 'running');
create index on compute.command (not_after) where state in ('held', 'queued', 'dispatched', 'running');
create index on compute.command (ended_at) where ended_at is not null;

-- Rises with every change of what is wished of the node.
alter table compute.node add column generation bigint not null default 0;

-- A deleted pool keeps its row: what happened in it stays readable.
alter table compute.pool add column deleted_at bigint;

-- What a fleet file says beside its pools. One row, whose lock orders the applying of files.
create table compute.fleet (
  only_row boolean primary key default true check (only_row),
  prices jsonb,
  version int not null default 1
);
insert into compute.fleet default values;
