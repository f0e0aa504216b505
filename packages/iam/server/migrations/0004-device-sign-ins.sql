-- A terminal that waits for its person to type its code in the console (iam.md §3.6). Codes are kept as digests alone.
create table iam.device_sign_ins (
  device_hash bytea primary key check (octet_length(device_hash) = 32),
  user_code_digest text not null unique,
  client_name text not null,
  status text not null check (status in ('pending', 'approved', 'denied')),
  -- whoever approved it: the session is theirs
  identity_id text references iam.identities,
  tenant_id text references iam.tenants,
  polled_at bigint,
  created_at bigint not null,
  expires_at bigint not null,
  check ((status = 'approved') <= (identity_id is not null))
);
create index device_sign_ins_by_identity on iam.device_sign_ins (identity_id) where identity_id is not null;
create index device_sign_ins_by_end on iam.device_sign_ins (expires_at);
