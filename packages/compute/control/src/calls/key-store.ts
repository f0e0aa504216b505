import { type Queryable, type Tx, unawaited } from '@kit/store';
import type { JsonValue } from '../iam-port.ts';
import type { CallerScope } from './caller-scope.ts';

export interface KeyRecord {
  digest: string;
  /** Null: held or refused, decided anew. */
  objectId: string | null;
  detail: JsonValue | null;
}

export interface ScopedKey {
  scope: CallerScope;
  key: string;
}

const columnsOf = (keys: readonly ScopedKey[]): string[][] => [0, 1, 2, 3, 4, 5].map((i) => keys.map(({ scope, key }) => [...scope, key][i]!));

/** What is known of each of these keys, in their order. */
export async function readKeys(q: Queryable, keys: readonly ScopedKey[]): Promise<(KeyRecord | undefined)[]> {
  writeWaiting(q);
  const rows = await q.rows<KeyRecord & { place: number }>(
    // one look into the index for each: a join was planned while the table was small, and then reads all of it
    `select e.place, k.digest, k.object_id as "objectId", k.detail
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
       as e (tenant_id, subject_id, agent_id, delegation_id, operation, key, place)
     cross join lateral (
       select * from compute.idempotency i
       where (i.tenant_id, i.subject_id, i.agent_id, i.delegation_id, i.operation, i.key)
         = (e.tenant_id, e.subject_id, e.agent_id, e.delegation_id, e.operation, e.key)
       limit 1
     ) k`,
    columnsOf(keys),
  );
  const records: (KeyRecord | undefined)[] = keys.map(() => undefined);
  for (const { place, ...record } of rows) records[place - 1] = record;
  return records;
}

interface Waiting extends ScopedKey {
  record: KeyRecord;
  now: number;
}

/** Records of a transaction that are not written yet: the last one of each key. */
const waiting = new WeakMap<Queryable, Map<string, Waiting>>();

/** Written with the others of the transaction before it commits, or before a key is read in it again. */
export function writeKey(tx: Tx, scope: CallerScope, key: string, record: KeyRecord, now: number): void {
  let records = waiting.get(tx);
  if (!records) {
    records = new Map();
    waiting.set(tx, records);
    tx.beforeCommit(() => writeWaiting(tx));
  }
  records.set(JSON.stringify([...scope, key]), { scope, key, record, now });
}

function writeWaiting(q: Queryable): void {
  const rows = [...(waiting.get(q)?.values() ?? [])];
  if (rows.length === 0) return;
  waiting.get(q)?.clear();
  const writing = q.run(
    `insert into compute.idempotency (tenant_id, subject_id, agent_id, delegation_id, operation, key, digest, object_id, detail, created_at)
     select *, $10::bigint from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[])
     on conflict (tenant_id, subject_id, agent_id, delegation_id, operation, key) do update set object_id = excluded.object_id, detail = excluded.detail`,
    [
      ...columnsOf(rows),
      rows.map(({ record }) => record.digest),
      rows.map(({ record }) => record.objectId),
      rows.map(({ record }) => (record.detail === null ? null : JSON.stringify(record.detail))),
      rows[0]!.now,
    ],
  );
  unawaited(writing);
}
