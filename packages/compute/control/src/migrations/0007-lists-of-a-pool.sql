-- Reservations of one pool, newest first: without it a list of a quiet pool looks at every reservation of its tenant.
create index on compute.reservation (pool_id, number desc);
