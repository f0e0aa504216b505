import type { Queryable } from '@kit/store';
import type { Charge, Payer } from './charge.ts';
import { isCount } from './charge.ts';
import type { BudgetRow } from './store.ts';

export interface ChargeRow extends Payer {
  objectId: string;
  tenantId: string;
  amounts: Charge;
  at: number;
}

export const insertCharges = (q: Queryable, rows: readonly ChargeRow[]): Promise<number> =>
  q.run(
    `insert into compute.charge (object_id, tenant_id, owner_id, delegation_id, amounts, at)
     select "objectId", "tenantId", "ownerId", "delegationId", amounts, at
     from jsonb_to_recordset($1::jsonb) as r ("objectId" text, "tenantId" text, "ownerId" text, "delegationId" text, amounts jsonb, at bigint)`,
    [JSON.stringify(rows)],
  );

/** Oldest first. */
export const readCharges = (q: Queryable, objectId: string): Promise<{ number: number; amounts: Charge }[]> =>
  q.rows('select number, amounts from compute.charge where object_id = $1 and is_live order by number', [objectId]);

export const settleCharge = (q: Queryable, objectId: string, number: number, amounts: Charge): Promise<number> =>
  q.run('update compute.charge set amounts = $3, is_live = false where object_id = $1 and number = $2', [objectId, number, JSON.stringify(amounts)]);

export const endCharges = (q: Queryable, objectId: string): Promise<number> =>
  q.run('update compute.charge set is_live = false where object_id = $1 and is_live', [objectId]);

const sum = 'select coalesce(sum((c.amounts ->> $2)::float8), 0) as used from compute.charge c where c.tenant_id = $1';

/** What was admitted against a budget since the beginning of its window, or lives now. */
export async function readUsed(q: Queryable, b: BudgetRow, from: number): Promise<number> {
  const who = b.delegationId ?? b.personId;
  const values = [b.tenantId, b.unit, ...(isCount(b.unit) ? [] : [from]), ...(who === null ? [] : [who])];
  const when = isCount(b.unit) ? 'c.is_live' : 'c.at >= $3';
  const place = isCount(b.unit) ? '$3' : '$4';
  const whose = b.delegationId !== null ? ` and c.delegation_id = ${place}` : b.personId !== null ? ` and c.owner_id = ${place}` : '';
  return (await q.one<{ used: number }>(`${sum} and ${when}${whose}`, values))!.used;
}

/** A request that may still have its effect: an approval of it was spent, or a person may yet give one. */
export interface HeldCharge extends Payer {
  draftId: string;
  amounts: Charge;
  confirmationId: string | null;
}

export const readHeldCharges = (q: Queryable, tenantId: string, now: number): Promise<HeldCharge[]> =>
  q.rows<HeldCharge>(
    `select id as "draftId", charge as amounts, owner_id as "ownerId", nullif(delegation_id, '') as "delegationId",
       case when state = 'held' then confirmation_id end as "confirmationId"
     from compute.draft where tenant_id = $1 and charge is not null and state <> 'closed' and usable_until > $2`,
    [tenantId, now],
  );
