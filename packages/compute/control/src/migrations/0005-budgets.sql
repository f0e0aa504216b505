-- The lock on this row orders whatever is admitted or held against the budgets of one tenant. It rises with every change of them. A tenant that
-- never had budgets has none, and nothing is counted there.
create table compute.budget_book (
  tenant_id text primary key,
  version bigint not null default 1
);

-- One for each of tenant, person or delegation, unit and period.
create table compute.budget (
  id text primary key,
  number bigint generated always as identity,
  tenant_id text not null references compute.budget_book,
  -- whom it bounds; of a delegation's also the person whose it is
  person_id text,
  delegation_id text,
  unit text not null,
  period text,
  ceiling double precision not null,
  created_at bigint not null,
  version int not null default 1,
  unique nulls not distinct (tenant_id, person_id, delegation_id, unit, period)
);
create index on compute.budget (tenant_id, number desc);
create index on compute.budget (number desc);

-- What was admitted at a moment, by unit. Hours are as booked, and as used once the object has ended; live counts hold while it lives.
create table compute.charge (
  object_id text not null,
  number bigint generated always as identity,
  tenant_id text not null,
  owner_id text not null,
  delegation_id text,
  amounts jsonb not null,
  at bigint not null,
  is_live boolean not null default true,
  primary key (object_id, number)
);
create index on compute.charge (tenant_id, at);
create index on compute.charge (tenant_id, owner_id, at);
create index on compute.charge (delegation_id, at) where delegation_id is not null;
create index on compute.charge (tenant_id) where is_live;

-- What a held request would take, whose it would be, and where a person decides: kept while that can still lead to an effect.
alter table compute.draft add column charge jsonb, add column owner_id text, add column confirmation_id text;
create index on compute.draft (tenant_id, usable_until) where charge is not null and state <> 'closed';
