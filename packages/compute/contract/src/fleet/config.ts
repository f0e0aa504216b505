import { z } from 'zod';
import { BudgetLimit, BudgetPeriod, BudgetUnit, budgetBounds } from '../budgets/budget.ts';
import { PoolId } from '../ids.ts';
import { limits } from '../limits.ts';
import { PoolConfig } from '../pools/pool-config.ts';

const price = z.number().min(0).max(1_000_000);

/** Currency per unit and hour (compute.md §9). */
export const PriceList = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, such as EUR'),
  gpuHour: z.record(z.string().min(1).max(limits.productMax), price).default({}).meta({ description: 'By GPU product.' }),
  vcpuHour: price.optional(),
  volumeGiBHour: price.optional(),
  snapshotGiBHour: price.optional(),
});
export type PriceList = z.output<typeof PriceList>;

const none = 'cannot be set from a fleet file yet: leave it out or empty';
const emptyObject = z.looseObject({}).refine((value) => Object.keys(value).length === 0, none);

/** A pool in the file: `tenants` and `operators` are slugs of organizations. */
export const FleetPool = PoolConfig.omit({ id: true });
export type FleetPool = z.output<typeof FleetPool>;

/** A budget in the file (compute.md §3.5): of an organization, by its slug, or of a person or a delegation of it. */
export const FleetBudget = z
  .strictObject({
    tenant: z.string().min(1).max(64),
    ...budgetBounds,
    unit: BudgetUnit,
    period: BudgetPeriod.nullable().default(null),
    limit: BudgetLimit,
  })
  .refine((b) => b.person === undefined || b.delegation === undefined, { path: ['delegation'], error: 'a budget bounds a person or a delegation, not both' })
  .refine((b) => b.period === null || !b.unit.startsWith('live'), { path: ['period'], error: 'live counts have no period' });
export type FleetBudget = z.output<typeof FleetBudget>;

/** The whole fleet as one file (compute.md §9): what is not in it is deleted. No secrets, no nodes. */
export const FleetConfig = z.strictObject({
  version: z.literal(1),
  pools: z
    .record(PoolId, FleetPool)
    .refine((pools) => Object.keys(pools).length <= limits.fleetPoolsMax, `at most ${limits.fleetPoolsMax} pools`)
    .default({}),
  prices: PriceList.optional(),
  images: emptyObject.optional(),
  templates: emptyObject.optional(),
  budgets: z.array(FleetBudget).max(limits.fleetBudgetsMax).optional(),
});
export type FleetConfig = z.output<typeof FleetConfig>;
export type FleetConfigInput = z.input<typeof FleetConfig>;
