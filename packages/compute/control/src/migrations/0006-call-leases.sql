-- Calls of one caller in flight, over all processes. What is lost with the server was in flight with it, so nothing of this is worth a log record.
create unlogged table compute.call_lease (
  caller text not null,
  slot int not null,
  -- tells a place given back late from the one of whoever has it now
  holder text not null,
  lapses_at bigint not null,
  primary key (caller, slot)
);
create index on compute.call_lease (lapses_at);
