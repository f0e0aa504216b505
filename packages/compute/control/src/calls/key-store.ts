import type { Queryable } from '@kit/store';
import type { JsonValue } from '../iam-port.ts';
import type { CallerScope } from './caller-scope.ts';

export interface KeyRecord {
  digest: string;
  /** Null: held or refused, decided anew. */
  objectId: string | null;
  detail: JsonValue | null;
}

export const readKey = (q: Queryable, scope: CallerScope, key: string): Promise<KeyRecord | undefined> =>
  q.one<KeyRecord>(
    `select digest, object_id as "objectId", detail from compute.idempotency
     where tenant_id = $1 and subject_id = $2 and agent_id = $3 and delegation_id = $4 and operation = $5 and key = $6`,
    [...scope, key],
  );

export const writeKey = (q: Queryable, scope: CallerScope, key: string, record: KeyRecord, now: number): Promise<number> =>
  q.run(
    `insert into compute.idempotency (tenant_id, subject_id, agent_id, delegation_id, operation, key, digest, object_id, detail, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (tenant_id, subject_id, agent_id, delegation_id, operation, key) do update set object_id = excluded.object_id, detail = excluded.detail`,
    [...scope, key, record.digest, record.objectId, record.detail === null ? null : JSON.stringify(record.detail), now],
  );
