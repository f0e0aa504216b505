import { onTenant } from '@kit/operation';
import { z } from 'zod';
import { callMembers, givenOf } from '../call-members.ts';
import { operation } from '../service.ts';
import { Budget, BudgetLimit, BudgetPeriod, BudgetUnit, budgetBounds } from './budget.ts';

const unit = BudgetUnit.meta({ description: 'What it counts.' });
const period = BudgetPeriod.nullable()
  .default(null)
  .meta({ description: 'Sums begin anew with each UTC day or month; null: one sum from now on. Live counts have none.' });
const version = z.int().min(1).optional().meta({ description: 'As it was read: VERSION_CONFLICT when it has changed since.' });

const commandArguments = z.strictObject({
  ...budgetBounds,
  unit,
  period: BudgetPeriod.optional().meta({ description: 'day or month; none: one sum from now on.' }),
  limit: BudgetLimit.optional().meta({ description: 'The most; leave out with --remove.' }),
  remove: z.boolean().optional().meta({ description: 'Take the budget away.' }),
  version,
  tenantId: callMembers.tenantId,
  idempotencyKey: callMembers.idempotencyKey,
});

/**
 * `budgets.set` (compute.md §3.5): makes, changes or takes away the one budget of that organization, person or delegation, unit and period.
 * An organization's is set from the root organization, a person's by an owner, a delegation's by the person whose it is; never by a delegated session.
 */
export const set = operation({
  id: 'budgets.set',
  summary: 'Bound what an organization, a person or a delegation may use.',
  effect: 'write',
  key: 'take',
  input: { ...budgetBounds, unit, period, limit: BudgetLimit.nullable().meta({ description: 'The most; null takes the budget away.' }), version },
  output: { budget: Budget },
  errors: ['VERSION_CONFLICT'],
  action: 'compute:budgets:update',
  on: onTenant,
  audit: ['person', 'delegation', 'unit', 'period', 'limit'],
  command: {
    path: ['budget', 'set'],
    arguments: commandArguments,
    toInput: ({ limit, remove, period: every, tenantId, idempotencyKey, ...rest }: z.output<typeof commandArguments>) => ({
      ...(rest as { unit: z.output<typeof BudgetUnit> }),
      period: every ?? null,
      // neither, or both: the API says what is wrong with it
      limit: (remove === true ? (limit === undefined ? null : undefined) : limit) as number | null,
      ...givenOf({ tenantId, idempotencyKey }),
    }),
  },
  examples: [
    { title: '200 GPU-hours a month for a delegation', input: { delegation: 'dlg_AAAAAAAAAAAAAAAAAAAAAA', unit: 'gpuHours', period: 'month', limit: 200 } },
    { title: 'At most three reservations at once for a person', input: { person: 'usr_AAAAAAAAAAAAAAAAAAAAAA', unit: 'liveReservations', limit: 3 } },
  ],
});
