-- A held or admitted call that has not had its effect yet. '' stands for no agent, no delegation.
create table compute.draft (
  id text primary key,
  tenant_id text not null,
  subject_id text not null,
  agent_id text not null,
  delegation_id text not null,
  operation text not null,
  idempotency_key text,
  digest text not null,
  state text not null check (state in ('held', 'admitted', 'closed')),
  -- the frozen resource the decision is on, and what the effect needs; null where the decision is on the object itself
  resource jsonb,
  frozen jsonb,
  usable_until bigint not null,
  created_at bigint not null
);
create unique index draft_by_key on compute.draft (tenant_id, subject_id, agent_id, delegation_id, operation, idempotency_key)
  where idempotency_key is not null;
create unique index draft_by_digest on compute.draft (tenant_id, subject_id, agent_id, delegation_id, operation, digest)
  where idempotency_key is null and state <> 'closed';
create index on compute.draft (created_at);

-- What came of a key. Refusals and holds keep the digest alone.
create table compute.idempotency (
  tenant_id text not null,
  subject_id text not null,
  agent_id text not null,
  delegation_id text not null,
  operation text not null,
  key text not null,
  digest text not null,
  object_id text,
  detail jsonb,
  created_at bigint not null,
  primary key (tenant_id, subject_id, agent_id, delegation_id, operation, key)
);
create index on compute.idempotency (created_at);
