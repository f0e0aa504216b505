-- A pool is never deleted, and whatever is written in one is written under its lock: checking each row for its pool cost as much as writing it.
alter table compute.ledger drop constraint ledger_pool_id_fkey;
alter table compute.reservation drop constraint reservation_pool_id_fkey;
