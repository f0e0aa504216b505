-- Who confirms for whom, for a time (iam.md §17.10). Nothing here is ever deleted: who was a deputy when is part of what was decided.
create table iam.deputies (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  person_id text not null references iam.identities,
  deputy_id text not null references iam.identities,
  -- null: all of the person's
  delegation_ids text[],
  starts_at bigint not null,
  ends_at bigint not null,
  created_at bigint not null,
  ended_at bigint,
  ended_by text,
  check (person_id <> deputy_id),
  check (ends_at > starts_at)
);
create index deputies_by_person on iam.deputies (person_id, ordinal desc);
create index deputies_by_deputy on iam.deputies (deputy_id, ordinal desc);
