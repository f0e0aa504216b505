-- Resources of managed types, which IAM keeps itself (iam.md §9.1). What a parent is of is fixed when it is made.
create table iam.resources (
  tenant_id text not null references iam.tenants,
  type text not null,
  id text not null,
  attributes jsonb not null,
  owner_id text references iam.identities,
  parent_type text,
  parent_id text,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, type, id),
  foreign key (tenant_id, parent_type, parent_id) references iam.resources,
  check ((parent_type is null) = (parent_id is null))
);
create index resources_by_parent on iam.resources (tenant_id, parent_type, parent_id) where parent_id is not null;
