import { Instant, idOf } from '@kit/operation';
import { z } from 'zod';
import { limits } from '../limits.ts';

export const BudgetId = idOf('bdg', 'budget');
export const DraftId = idOf('drf', 'held request');

/** What a budget counts: hours, which add up over a period, and how many live at once. */
export const BudgetUnit = z.enum([
  'gpuHours',
  'vcpuHours',
  'sandboxHours',
  'volumeGiBHours',
  'snapshotGiBHours',
  'liveReservations',
  'liveInstances',
  'liveSandboxes',
  'liveVolumes',
]);
export type BudgetUnit = z.output<typeof BudgetUnit>;

/** The UTC day or month in which something was admitted. */
export const BudgetPeriod = z.enum(['day', 'month']);
export type BudgetPeriod = z.output<typeof BudgetPeriod>;

/** Whom it bounds: an organization where neither is given, else one person or one delegation of it. */
export const budgetBounds = {
  person: idOf('usr', 'person').optional().meta({ description: 'The person it bounds (usr_…).' }),
  delegation: idOf('dlg', 'delegation').optional().meta({ description: 'The delegation it bounds (dlg_…).' }),
};

export const BudgetLimit = z.number().min(0).max(limits.budgetMax);

const figures = {
  used: z.number().meta({ description: 'Admitted in the period, live or ended; what ended early counts with what it used.' }),
  held: z.number().meta({ description: 'Kept for requests that a person may still approve.' }),
  left: z.number(),
};

/** A bound on what is admitted (compute.md §3.5). One per organization, person or delegation, unit and period. */
export const Budget = z.object({
  id: BudgetId,
  tenantId: z.string(),
  ...budgetBounds,
  unit: BudgetUnit,
  period: BudgetPeriod.nullable().meta({ description: 'Null: one sum since the budget was set; for live counts, at any moment.' }),
  limit: BudgetLimit.nullable().meta({ description: 'Null only in the answer to taking it away.' }),
  ...figures,
  left: figures.left.nullable(),
  renewsAt: Instant.nullable().meta({ description: 'When the next period begins.' }),
  version: z.int(),
});
export type Budget = z.output<typeof Budget>;

/** What one budget that bears on a request has left, with the request itself taken off. */
export const BudgetAfter = z.object({
  budgetId: BudgetId,
  bounds: z.enum(['organization', 'person', 'delegation']),
  unit: BudgetUnit,
  period: BudgetPeriod.nullable(),
  limit: z.number(),
  used: figures.used,
  held: z.number().meta({ description: 'Kept for other requests that a person may still approve.' }),
  asked: z.number(),
  left: z.number().meta({ description: 'After it; below 0 it is refused with QUOTA_EXCEEDED.' }),
  text: z.string().meta({ description: 'The whole of it in words.' }),
});
export type BudgetAfter = z.output<typeof BudgetAfter>;
