import { budgetsAfter } from '../budgets/book.ts';
import type { ReadHandler } from '../handler.ts';
import type { PoolRow } from '../pools/store.ts';
import { createCharge, plannedCost } from '../reservations/cost.ts';
import { placementsOf } from '../reservations/placed.ts';
import { checkPlan, placementOf, planOf } from '../reservations/plan.ts';
import { reportOf } from './report.ts';

/** The very placement a create would make now, with the same host share (compute.md §5.5). Claims nothing. */
export const preview: ReadHandler<'capacity.preview', PoolRow> = async (scope, input, row) => {
  const { plane, tx, now, access } = scope;
  const plan = planOf(row.config, input);
  checkPlan(row.config, plan, now);
  const fold = await plane.folds.caughtUp(tx, row, now);
  const result = fold.ledger.placePreempting(placementOf(plan), now);
  const cost = plannedCost(plane.prices, plan);
  const payer = { ownerId: access.caller.identityId, delegationId: access.caller.delegationId ?? null };
  const budgetAfter = await budgetsAfter(scope, payer, createCharge(plan));
  if (!result.ok) {
    const { earliestStart } = result.refusal;
    return {
      preview: { poolId: row.id, fits: false, ...(earliestStart === undefined ? {} : { earliestStart }), refusal: reportOf(result.refusal), cost, budgetAfter },
    };
  }
  const { from, to } = result.claims[0]!;
  const placement = placementsOf({ fold }, result.claims);
  return { preview: { poolId: row.id, fits: true, placement, roomLostGpus: result.roomLostGpus, startsAt: from, expiresAt: to, cost, budgetAfter } };
};
