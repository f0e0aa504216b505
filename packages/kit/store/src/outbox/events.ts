import type pg from 'pg';
import type { OutboxEvent } from '../database.ts';
import { limits } from '../limits.ts';
import { execute } from '../statement.ts';

export const channel = 'store_outbox';

export const insertEvents = `insert into store.outbox (topic, key, payload)
  select topic, key, payload::jsonb from unnest($1::text[], $2::text[], $3::text[]) with ordinality as e (topic, key, payload, n) order by n`;

export const pruneEvents = 'delete from store.outbox where at < floor(extract(epoch from clock_timestamp()) * 1000) - $1::float8 * 86400000';

/** The place after which events are read: transaction number, then the event's own. Both as text: a transaction number may pass 2^53. */
export interface Cursor {
  xid: string;
  id: string;
}

/** The oldest transaction still running: every event of it and of later ones is to come. */
export const selectStart = `select pg_snapshot_xmin(pg_current_snapshot())::text as xid, '0' as id`;

const selectAfter = `
  select id::text, xid::text, topic, key, case when xid < horizon then payload end as payload, at, xid < horizon as "isSettled"
  from store.outbox o, pg_snapshot_xmin(pg_current_snapshot()) horizon
  where (o.xid, o.id) > ($1::xid8, $2::bigint) order by o.xid, o.id limit $3`;

type Row = OutboxEvent & { xid: string; isSettled: boolean };

export interface Batch {
  events: OutboxEvent[];
  next: Cursor;
  /** Committed events are there that an older, still running transaction keeps back. */
  isHeld: boolean;
  isFull: boolean;
}

/** Events in order of (transaction, id), up to the oldest transaction that still runs: whatever commits later sorts after them. */
export async function readAfter(client: pg.ClientBase, cursor: Cursor): Promise<Batch> {
  const { rows } = await execute<Row>(client, selectAfter, [cursor.xid, cursor.id, limits.outboxBatch]);
  const settled = rows.filter((row) => row.isSettled);
  const last = settled.at(-1);
  return {
    events: settled.map(({ id, topic, key, payload, at }) => ({ id, topic, key, payload, at })),
    next: last ? { xid: last.xid, id: last.id } : cursor,
    isHeld: settled.length < rows.length,
    isFull: rows.length === limits.outboxBatch,
  };
}
