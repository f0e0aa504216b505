-- Sets of identities that roles are bound to (iam.md §2, §11.2).
create table iam.groups (
  id text primary key,
  ordinal bigint generated always as identity,
  tenant_id text not null references iam.tenants,
  name text not null,
  created_at bigint not null,
  unique (tenant_id, name)
);
create table iam.group_members (
  group_id text not null references iam.groups,
  identity_id text not null references iam.identities,
  added_at bigint not null,
  primary key (group_id, identity_id)
);
create index group_members_by_identity on iam.group_members (identity_id);

-- exactly one target
alter table iam.bindings
  alter column identity_id drop not null,
  add column group_id text references iam.groups,
  add constraint bindings_one_target check (num_nonnulls(identity_id, group_id) = 1),
  add constraint bindings_once_a_group unique (role_id, group_id);
create index bindings_by_group on iam.bindings (group_id) where group_id is not null;
