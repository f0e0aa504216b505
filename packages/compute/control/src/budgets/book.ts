import type { BudgetAfter } from '@better-compute/contract';
import type { Look } from '../plane.ts';
import { refuse } from '../refuse.ts';
import type { Charge, Payer } from './charge.ts';
import { type HeldCharge, readHeldCharges, readUsed } from './charge-store.ts';
import { windowOf } from './period.ts';
import { type BudgetRow, readBudgets } from './store.ts';

export interface Figures {
  used: number;
  held: number;
}

/** Sums of hours are sums of fractions. */
const ROUNDING = 1e-6;
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** What can still have an effect: no longer what was rejected, has lapsed, or came through a delegation that ended. */
export async function openHolds({ plane, tx, tenantId, now }: Look): Promise<HeldCharge[]> {
  const all = await readHeldCharges(tx, tenantId, now);
  const asked = all.flatMap(({ confirmationId }) => confirmationId ?? []);
  const open = new Set(asked.length === 0 ? [] : await plane.iam.openConfirmations(tx, asked));
  return all.filter(({ confirmationId }) => confirmationId === null || open.has(confirmationId));
}

export const bearsOn = (b: BudgetRow, payer: Payer): boolean =>
  b.delegationId !== null ? b.delegationId === payer.delegationId : b.personId === null || b.personId === payer.ownerId;

/** Of one budget, but for what one request holds itself. */
export async function figuresOf({ tx, now }: Look, b: BudgetRow, holds: readonly HeldCharge[], exceptDraftId?: string): Promise<Figures> {
  const used = await readUsed(tx, b, windowOf(b.period, b.createdAt, now).from);
  const held = holds.filter((hold) => hold.draftId !== exceptDraftId && bearsOn(b, hold)).reduce((sum, hold) => sum + (hold.amounts[b.unit] ?? 0), 0);
  return { used: rounded(used), held: rounded(held) };
}

/** Every budget that a request would take from, with what is left of it after that. */
export async function budgetsAfter(look: Look, payer: Payer, charge: Charge, exceptDraftId?: string): Promise<BudgetAfter[]> {
  const budgets = (await readBudgets(look.tx, look.tenantId, payer.ownerId, payer.delegationId)).filter(({ unit }) => charge[unit] !== undefined);
  if (budgets.length === 0) return [];
  const holds = await openHolds(look);
  return Promise.all(budgets.map(async (b) => after(b, await figuresOf(look, b, holds, exceptDraftId), charge[b.unit]!)));
}

export const after = (b: BudgetRow, { used, held }: Figures, amount: number): BudgetAfter => {
  const asked = rounded(amount);
  return {
    budgetId: b.id,
    bounds: b.delegationId !== null ? 'delegation' : b.personId !== null ? 'person' : 'organization',
    unit: b.unit,
    period: b.period,
    limit: b.ceiling,
    used,
    held,
    asked,
    left: rounded(b.ceiling - used - held - asked),
  };
};

const WORDS: Record<BudgetAfter['bounds'], string> = { organization: "the organization's", person: "the person's", delegation: "the delegation's" };

/** Throws QUOTA_EXCEEDED for the first that has not enough left. */
export function checkLeft(budgets: readonly BudgetAfter[]): void {
  const spent = budgets.find(({ asked, left }) => asked > 0 && left < -ROUNDING);
  if (!spent) return;
  const { budgetId, bounds, unit, period, limit, used, held, asked } = spent;
  const text = `${WORDS[bounds]} budget of ${limit} ${unit}${period === null ? '' : ` a ${period}`} has ${rounded(Math.max(0, limit - used - held))} left, and this asks for ${asked}`;
  throw refuse('QUOTA_EXCEEDED', text, { budgetId, limit, used, held, asked, unit });
}
