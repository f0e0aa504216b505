-- Ways back in (iam.md §3.5): one-time codes, kept as keyed digests. Whoever may make one can in the end sign in as that person, so each is shown for days.
create table iam.reset_codes (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  identity_id text not null references iam.identities,
  kind text not null check (kind in ('reset', 'break-glass')),
  digest text not null,
  drops_factor boolean not null,
  reason text not null,
  -- the owner's id, or the host account's name
  made_by text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  -- a later one took its place
  void_at bigint
);
create index reset_codes_by_identity on iam.reset_codes (identity_id, ordinal desc);
create index reset_codes_by_tenant on iam.reset_codes (tenant_id, created_at);
