import type { Database, Queryable, Tx } from '@kit/store';
import type { Access, IamPort } from './iam-port.ts';
import type { KnownBudgets } from './budgets/known-budgets.ts';
import type { Folds } from './ledger/folds.ts';
import type { Lanes } from './ledger/lanes.ts';
import type { PoolTx } from './ledger/pool-tx.ts';
import type { Waits } from './waits.ts';

/** Currency per GPU-hour by product: what of a price list reservations need (compute.md §9). */
export interface Prices {
  currency: string;
  gpuHour: Readonly<Record<string, number>>;
}

/** What every part of the control plane is given: nothing of it is global. */
export interface Plane {
  readonly database: Database;
  readonly iam: IamPort;
  readonly folds: Folds;
  readonly lanes: Lanes;
  readonly waits: Waits;
  readonly budgets: KnownBudgets;
  readonly typePrefix: string;
  readonly publicUrl: string;
  readonly prices: Prices | undefined;
  /** Epoch milliseconds: the deployment's clock, else the database's (compute.md §13). */
  now(q: Queryable): Promise<number>;
  /** IAM's root tenant, to which pools belong; undefined before bootstrap. */
  platformTenantId(): Promise<string | undefined>;
  randomBytes(length: number): Uint8Array;
}

/** Enough to read and show objects of one tenant. */
export interface Look {
  readonly plane: Plane;
  readonly tx: Queryable;
  readonly tenantId: string;
  readonly platformTenantId: string | undefined;
  readonly now: number;
}

/** One call in its transaction. */
export interface Scope extends Look {
  readonly tx: Tx;
  readonly access: Access;
  /** Present where the operation is ordered by a pool and the pool exists. */
  readonly pool: PoolTx | undefined;
  /** Asked with `tenantId: '*'` by whoever administers the platform. */
  readonly isEveryTenant: boolean;
}

/** A look outside any call's transaction. */
export const lookAt = async (plane: Plane, tenantId: string): Promise<Look> => ({
  plane,
  tx: plane.database,
  tenantId,
  platformTenantId: await plane.platformTenantId(),
  now: await plane.now(plane.database),
});
