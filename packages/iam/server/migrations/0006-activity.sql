-- What was done under a delegation, or by an agent, without reading a whole chain (iam.md §13, §14.4). Partial: most events of people pay for neither.
create index audit_events_by_delegation on iam.audit_events (tenant_id, (session_context->>'delegationId'), sequence)
  where session_context->>'delegationId' is not null;
create index audit_events_by_agent on iam.audit_events (tenant_id, (session_context->>'agentId'), sequence) where session_context->>'agentId' is not null;
create index audit_events_on_delegations on iam.audit_events (tenant_id, sequence) where action like 'delegation:%';
create index audit_events_on_agents on iam.audit_events (tenant_id, resource_id) where action like 'agent:%' or action like 'iam:agents:%';
