-- Finds what was denied by the id of its request (iam.md §12.6).
create index audit_denials_by_request on iam.audit_events (tenant_id, (metadata ->> 'requestId')) where outcome = 'deny';
