-- Times are epoch milliseconds of the service's clock. Secrets are stored as SHA-256 only; passwords as argon2id.

create table iam.tenants (
  id text primary key,
  ordinal bigint generated always as identity,
  parent_id text references iam.tenants,
  type text not null check (type in ('root', 'organization', 'project')),
  name text not null,
  slug text not null unique,
  status text not null check (status in ('pending', 'active', 'suspended', 'deleted')),
  -- ids from the root down to this one: a tenant works only if all of them do
  path text[] not null,
  boundary jsonb,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  check ((type = 'root') = (parent_id is null))
);
-- the platform has one root
create unique index tenants_one_root on iam.tenants ((true)) where type = 'root';
create index tenants_by_parent on iam.tenants (parent_id);

-- Raised in the transaction of every change that can alter a decision (iam.md §12.1). An effect holds it shared, a change exclusively.
create table iam.generations (
  tenant_id text primary key references iam.tenants,
  depth integer not null,
  generation bigint not null default 1
);

create table iam.identities (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  kind text not null check (kind in ('user', 'service', 'agent')),
  name text not null,
  email text,
  status text not null check (status in ('active', 'disabled', 'deleted')),
  root_admin boolean not null default false,
  boundary jsonb,
  expires_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  check (email is null or kind = 'user'),
  check (not root_admin or kind = 'user')
);
create unique index identities_email on iam.identities (tenant_id, lower(email)) where status <> 'deleted';
create unique index identities_name on iam.identities (tenant_id, kind, name) where kind <> 'user' and status <> 'deleted';

-- apart from the person's row, so that no list of people ever reads it
create table iam.passwords (
  identity_id text primary key references iam.identities,
  hash text not null,
  updated_at bigint not null
);

create table iam.agents (
  identity_id text primary key references iam.identities,
  sponsor_id text not null references iam.identities,
  model text,
  provider text,
  purpose text,
  url text,
  protocols text[],
  description text,
  delegable boolean not null default true,
  max_delegated_session_seconds integer not null default 3600,
  suspended_at bigint,
  suspended_by text,
  suspend_reason text
);
create index agents_by_sponsor on iam.agents (sponsor_id);

create table iam.policies (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  name text not null,
  document jsonb not null,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  unique (tenant_id, name)
);

create table iam.roles (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  name text not null,
  is_owner boolean not null default false,
  permissions text[],
  document jsonb,
  policy_ids text[] not null default '{}',
  inherits text[] not null default '{}',
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  unique (tenant_id, name)
);
create unique index roles_one_owner on iam.roles (tenant_id) where is_owner;

create table iam.bindings (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  role_id text not null references iam.roles,
  identity_id text not null references iam.identities,
  starts_at bigint,
  expires_at bigint,
  created_at bigint not null,
  unique (role_id, identity_id)
);
create index bindings_by_identity on iam.bindings (identity_id);

create table iam.delegations (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  agent_id text not null references iam.identities,
  subject_id text not null references iam.identities,
  status text not null check (status in ('pending', 'active', 'denied', 'revoked')),
  scopes text[],
  policy jsonb not null,
  requested_by text not null check (requested_by in ('subject', 'agent', 'handoff')),
  reason text,
  expires_at bigint not null,
  requested_seconds integer not null,
  max_session_seconds integer,
  confirm text[] not null default '{}',
  handoff jsonb,
  usable_in_sessions boolean not null default false,
  parent_id text references iam.delegations,
  chain text[] not null default '{}',
  key_id text,
  created_at bigint not null,
  updated_at bigint not null,
  decided_at bigint,
  revoked_at bigint,
  revoked_by text,
  last_used_at bigint
);
create index delegations_by_subject on iam.delegations (subject_id, ordinal desc);
create index delegations_by_agent on iam.delegations (agent_id, ordinal desc);
create index delegations_by_parent on iam.delegations (parent_id) where parent_id is not null;

-- Every live bearer of authority: signed-in sessions, API keys, PATs and delegated sessions. One look-up by hash finds any of them.
create table iam.credentials (
  id text primary key,
  ordinal bigint generated always as identity,
  kind text not null check (kind in ('user', 'api-key', 'delegated', 'pat')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  tenant_id text not null references iam.tenants,
  identity_id text not null references iam.identities,
  name text,
  scopes text[],
  method text,
  mfa boolean not null default false,
  user_agent text,
  authenticated_at bigint not null,
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  revoked_at bigint,
  delegation_id text references iam.delegations,
  -- the API key a delegated session was opened with
  source_id text references iam.credentials,
  policy jsonb,
  check ((kind = 'delegated') = (delegation_id is not null))
);
create index credentials_by_identity on iam.credentials (identity_id, ordinal desc);
create index credentials_by_delegation on iam.credentials (delegation_id) where delegation_id is not null;
create index credentials_by_source on iam.credentials (source_id) where source_id is not null;

create table iam.confirmations (
  id text primary key,
  -- order of filing: two of one millisecond still have one
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  delegation_id text not null references iam.delegations,
  subject_id text not null references iam.identities,
  agent_id text not null references iam.identities,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  digest text not null,
  likeness text not null,
  summary text not null,
  facts jsonb,
  links jsonb,
  filed_by text not null check (filed_by in ('service', 'agent')),
  reason text not null,
  note text,
  status text not null check (status in ('pending', 'approved', 'rejected', 'used')),
  valid_seconds integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  decided_at bigint,
  decided_by text,
  deputy_id text,
  used_at bigint
);
create index confirmations_by_subject on iam.confirmations (subject_id, ordinal desc);
create index confirmations_by_agent on iam.confirmations (agent_id, ordinal desc);
create index confirmations_by_delegation on iam.confirmations (delegation_id, ordinal desc);
create index confirmations_approved on iam.confirmations (delegation_id, digest) where status = 'approved';

-- Nothing updates or deletes an event; the head row makes appends serial (iam.md §22).
create table iam.audit_heads (
  tenant_id text primary key references iam.tenants,
  sequence bigint not null default 0,
  hash text not null
);
create table iam.audit_events (
  tenant_id text not null references iam.tenants,
  sequence bigint not null,
  id text not null unique,
  at bigint not null,
  actor_id text not null,
  action text not null,
  resource_id text not null,
  outcome text not null check (outcome in ('allow', 'deny')),
  session_context jsonb not null,
  metadata jsonb not null,
  root_override boolean,
  previous_hash text not null,
  hash text not null,
  primary key (tenant_id, sequence)
);

-- Counted before a credential is looked at, in a transaction of their own, so that a refusal cannot take the count back.
create table iam.attempts (
  key text not null,
  window_start bigint not null,
  count integer not null,
  primary key (key, window_start)
);
