-- A delegated session opened inside a Gobare session, and what is handed on from there (iam.md §15.4): in place of an API key they hang on that session and
-- on the credential that named the delegation, which is then the source_id or key_id.
alter table iam.credentials
  add column gobare_session_id text,
  add constraint credentials_named_in check (gobare_session_id is null or (kind = 'delegated' and source_id is not null));
alter table iam.delegations
  add column gobare_session_id text,
  add constraint delegations_named_in check (gobare_session_id is null or key_id is not null);
