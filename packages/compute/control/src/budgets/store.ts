import type { BudgetPeriod, BudgetUnit } from '@better-compute/contract';
import type { Queryable } from '@kit/store';
import type { Bounds } from './bounds.ts';

export interface BudgetRow {
  id: string;
  number: number;
  tenantId: string;
  /** Whom it bounds; of a delegation's budget the person whose delegation it is. */
  personId: string | null;
  delegationId: string | null;
  unit: BudgetUnit;
  period: BudgetPeriod | null;
  ceiling: number;
  createdAt: number;
  version: number;
}

/** What makes two settings the same budget. */
export type BudgetKey = Pick<BudgetRow, 'tenantId' | 'unit' | 'period'> & Bounds;

const columns = `b.id, b.number, b.tenant_id as "tenantId", b.person_id as "personId", b.delegation_id as "delegationId", b.unit, b.period, b.ceiling,
  b.created_at as "createdAt", b.version`;

/** Those that can bear on one payer: the tenant's, the person's, the delegation's. */
export const readBearing = (q: Queryable, tenantId: string, ownerId: string, delegationId: string | null): Promise<BudgetRow[]> =>
  q.rows<BudgetRow>(
    `select ${columns} from compute.budget b
     where b.tenant_id = $1 and (b.person_id is null or b.delegation_id is null and b.person_id = $2 or b.delegation_id = $3) order by b.number`,
    [tenantId, ownerId, delegationId],
  );

export const readBudgets = (q: Queryable, tenantId: string): Promise<BudgetRow[]> =>
  q.rows<BudgetRow>(`select ${columns} from compute.budget b where b.tenant_id = $1 order by b.number`, [tenantId]);

export const readAllBudgets = (q: Queryable): Promise<BudgetRow[]> => q.rows<BudgetRow>(`select ${columns} from compute.budget b order by b.number`);

export const readBudget = (q: Queryable, id: string): Promise<BudgetRow | undefined> =>
  q.one<BudgetRow>(`select ${columns} from compute.budget b where b.id = $1`, [id]);

export const readBudgetPage = (q: Queryable, tenantId: string | undefined, before: number | undefined, count: number): Promise<BudgetRow[]> =>
  q.rows<BudgetRow>(
    `select ${columns} from compute.budget b where ($1::text is null or b.tenant_id = $1) and ($2::bigint is null or b.number < $2)
     order by b.number desc limit $3`,
    [tenantId, before, count],
  );

export const findBudget = (q: Queryable, k: BudgetKey): Promise<BudgetRow | undefined> =>
  q.one<BudgetRow>(
    `select ${columns} from compute.budget b where b.tenant_id = $1 and b.delegation_id is not distinct from $3
       and ($3::text is not null or b.person_id is not distinct from $2) and b.unit = $4 and b.period is not distinct from $5`,
    [k.tenantId, k.person ?? null, k.delegation ?? null, k.unit, k.period],
  );

export const countBudgets = async (q: Queryable, tenantId: string): Promise<number> =>
  (await q.one<{ n: number }>('select count(*) as n from compute.budget where tenant_id = $1', [tenantId]))!.n;

export const insertBudget = async (q: Queryable, b: Omit<BudgetRow, 'number' | 'version'>): Promise<BudgetRow> =>
  (await q.one<BudgetRow>(
    `insert into compute.budget as b (id, tenant_id, person_id, delegation_id, unit, period, ceiling, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    [b.id, b.tenantId, b.personId, b.delegationId, b.unit, b.period, b.ceiling, b.createdAt],
  ))!;

/** The same limit again is no new version. */
export const updateBudget = async (q: Queryable, id: string, ceiling: number): Promise<BudgetRow> =>
  (await q.one<BudgetRow>(
    `update compute.budget b set version = b.version + (b.ceiling is distinct from $2)::int, ceiling = $2 where b.id = $1 returning ${columns}`,
    [id, ceiling],
  ))!;

export const deleteBudget = (q: Queryable, id: string): Promise<number> => q.run('delete from compute.budget where id = $1', [id]);
