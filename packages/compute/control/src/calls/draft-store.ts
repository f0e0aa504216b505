import type { Queryable } from '@kit/store';
import type { Charge } from '../budgets/charge.ts';
import type { JsonValue, ResolvedResource } from '../iam-port.ts';
import type { CallerScope } from './caller-scope.ts';

export interface DraftRow {
  id: string;
  digest: string;
  /** `admitted`: its approval was spent, its effect is still to come. */
  state: 'held' | 'admitted' | 'closed';
  resource: ResolvedResource | null;
  frozen: JsonValue | null;
  /** What it would take of budgets, and whose they would be. */
  charge: Charge | null;
  ownerId: string | null;
  /** Where a person decides; budgets are kept for it while that can still lead to an effect. */
  confirmationId: string | null;
  usableUntil: number;
}

const columns = `id, digest, state, resource, frozen, charge, owner_id as "ownerId", confirmation_id as "confirmationId", usable_until as "usableUntil"`;
const ofCaller = 'tenant_id = $1 and subject_id = $2 and agent_id = $3 and delegation_id = $4 and operation = $5';

export const readDraftByKey = (q: Queryable, scope: CallerScope, key: string): Promise<DraftRow | undefined> =>
  q.one<DraftRow>(`select ${columns} from compute.draft where ${ofCaller} and idempotency_key = $6`, [...scope, key]);

export const readDraftByDigest = (q: Queryable, scope: CallerScope, digest: string): Promise<DraftRow | undefined> =>
  q.one<DraftRow>(`select ${columns} from compute.draft where ${ofCaller} and digest = $6 and idempotency_key is null and state <> 'closed'`, [
    ...scope,
    digest,
  ]);

/** One that still may have its effect, whoever's it is. */
export interface OpenDraft extends Pick<DraftRow, 'id' | 'resource' | 'frozen' | 'charge' | 'ownerId'> {
  subjectId: string;
  delegationId: string;
  operation: string;
}

export const readOpenDraft = (q: Queryable, tenantId: string, id: string, now: number): Promise<OpenDraft | undefined> =>
  q.one<OpenDraft>(
    `select ${columns}, subject_id as "subjectId", delegation_id as "delegationId", operation from compute.draft
     where id = $1 and tenant_id = $2 and state <> 'closed' and usable_until > $3`,
    [id, tenantId, now],
  );

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
    `insert into compute.draft (tenant_id, subject_id, agent_id, delegation_id, operation, idempotency_key, id, digest, state, resource, frozen, charge, owner_id,
       confirmation_id, usable_until, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...scope,
      key,
      d.id,
      d.digest,
      d.state,
      d.resource && JSON.stringify(d.resource),
      d.frozen === null ? null : JSON.stringify(d.frozen),
      d.charge && JSON.stringify(d.charge),
      d.ownerId,
      d.confirmationId,
      d.usableUntil,
      now,
    ],
  );

/** `confirmationId`: of the request that was filed for it now; the one before can no longer be decided. */
export const updateDraft = (q: Queryable, id: string, state: DraftRow['state'], usableUntil: number, confirmationId: string | null = null): Promise<number> =>
  q.run('update compute.draft set state = $2, usable_until = $3, confirmation_id = coalesce($4, confirmation_id) where id = $1', [
    id,
    state,
    usableUntil,
    confirmationId,
  ]);
