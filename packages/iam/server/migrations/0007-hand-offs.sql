-- What bounded the session a delegation was handed on in: [{ kind, id, document }], empty for all others.
alter table iam.delegations add column ceilings jsonb not null default '[]';
create index delegations_by_key on iam.delegations (key_id) where key_id is not null;
