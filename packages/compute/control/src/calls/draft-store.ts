import type { Queryable } from '@kit/store';
import type { JsonValue, ResolvedResource } from '../iam-port.ts';
import type { CallerScope } from './caller-scope.ts';

export interface DraftRow {
  id: string;
  digest: string;
  /** `admitted`: its approval was spent, its effect is still to come. */
  state: 'held' | 'admitted' | 'closed';
  resource: ResolvedResource | null;
  frozen: JsonValue | null;
  usableUntil: number;
}

const columns = 'id, digest, state, resource, frozen, usable_until as "usableUntil"';
const ofCaller = 'tenant_id = $1 and subject_id = $2 and agent_id = $3 and delegation_id = $4 and operation = $5';

export const readDraftByKey = (q: Queryable, scope: CallerScope, key: string): Promise<DraftRow | undefined> =>
  q.one<DraftRow>(`select ${columns} from compute.draft where ${ofCaller} and idempotency_key = $6`, [...scope, key]);

export const readDraftByDigest = (q: Queryable, scope: CallerScope, digest: string): Promise<DraftRow | undefined> =>
  q.one<DraftRow>(`select ${columns} from compute.draft where ${ofCaller} and digest = $6 and idempotency_key is null and state <> 'closed'`, [
    ...scope,
    digest,
  ]);

/** What a person is asked about, for IAM's resolver. */
export async function readDraftResource(q: Queryable, asked: { tenantId: string; type: string; id: string }): Promise<ResolvedResource | undefined> {
  const row = await q.one<{ resource: ResolvedResource | null }>('select resource from compute.draft where id = $1 and tenant_id = $2', [
    asked.id,
    asked.tenantId,
  ]);
  return row?.resource?.type === asked.type ? row.resource : undefined;
}

export const insertDraft = (q: Queryable, scope: CallerScope, key: string | null, d: DraftRow, now: number): Promise<number> =>
  q.run(
    `insert into compute.draft (tenant_id, subject_id, agent_id, delegation_id, operation, idempotency_key, id, digest, state, resource, frozen, usable_until, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [...scope, key, d.id, d.digest, d.state, d.resource && JSON.stringify(d.resource), d.frozen === null ? null : JSON.stringify(d.frozen), d.usableUntil, now],
  );

export const updateDraft = (q: Queryable, id: string, state: DraftRow['state'], usableUntil: number): Promise<number> =>
  q.run('update compute.draft set state = $2, usable_until = $3 where id = $1', [id, state, usableUntil]);
