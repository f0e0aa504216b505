-- A person's second factor (iam.md §3.4). Secrets are encrypted under a key derived from the deployment's secret, and bound to the person.
create table iam.factors (
  identity_id text primary key references iam.identities,
  secret bytea,
  -- newest 30 s step of which a code was accepted: none is accepted twice
  last_step bigint,
  enrolled_at bigint,
  -- begun, and nothing yet until a code of it has been seen
  pending bytea,
  pending_at bigint,
  check ((secret is null) = (enrolled_at is null)),
  check ((pending is null) = (pending_at is null))
);

-- Keyed digests; each stands in for the factor once.
create table iam.recovery_codes (
  identity_id text not null references iam.identities,
  digest text not null,
  used_at bigint,
  primary key (identity_id, digest)
);

-- The password is proved, the second factor is not. Gone with its use.
create table iam.challenges (
  hash bytea primary key check (octet_length(hash) = 32),
  tenant_id text not null references iam.tenants,
  identity_id text not null references iam.identities,
  -- the session that ends when this opens another: a step-up
  replaces_id text references iam.credentials,
  created_at bigint not null,
  expires_at bigint not null
);
create index challenges_by_identity on iam.challenges (identity_id);
