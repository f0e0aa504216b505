import type { BudgetAfter } from '@better-compute/contract';
import type { Look } from '../plane.ts';
import type { Charge, Payer } from './charge.ts';
import { type ChargeRow, type HeldCharge, readHeldCharges, readUsed } from './charge-store.ts';
import { windowOf } from './period.ts';
import { type BudgetRow, readBearing } from './store.ts';
import { budgetText } from './words.ts';

export interface Figures {
  used: number;
  held: number;
}

/** Sums of hours are sums of fractions. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const bearsOn = (b: BudgetRow, payer: Payer): boolean =>
  b.delegationId !== null ? b.delegationId === payer.delegationId : b.personId === null || b.personId === payer.ownerId;

/** Budgets of one tenant with what each has left, as one transaction sees it: read once, then kept up with what it takes itself. */
export class Book {
  private readonly look: Look;
  private readonly budgets: readonly BudgetRow[];
  /** What the transaction has taken and not written yet. */
  private readonly unwritten: () => readonly ChargeRow[];
  private readonly used = new Map<string, number>();
  private holds: Map<string, HeldCharge> | undefined;
  private reading: Promise<Map<string, HeldCharge>> | undefined;

  constructor(look: Look, budgets: readonly BudgetRow[], unwritten: () => readonly ChargeRow[] = () => []) {
    this.look = look;
    this.budgets = budgets;
    this.unwritten = unwritten;
  }

  /** Every budget that a request would take from, with what is left of it after that. What the request holds itself is not counted against it. */
  async after(payer: Payer, charge: Charge, ownDraftId?: string): Promise<BudgetAfter[]> {
    const bearing = this.budgets.filter((b) => charge[b.unit] !== undefined && bearsOn(b, payer));
    return Promise.all(bearing.map(async (b) => after(b, await this.figures(b, ownDraftId), charge[b.unit]!)));
  }

  async figures(b: BudgetRow, exceptDraftId?: string): Promise<Figures> {
    const [holds, used] = [await this.openHolds(), await this.usedOf(b)];
    const held = holds.values().reduce((sum, hold) => sum + (hold.draftId !== exceptDraftId && bearsOn(b, hold) ? (hold.amounts[b.unit] ?? 0) : 0), 0);
    return { used: rounded(used), held: rounded(held) };
  }

  /** Taken with an effect, of which a hold may have been the beginning. */
  take(payer: Payer, charge: Charge, draftId?: string): void {
    if (draftId !== undefined) this.holds?.delete(draftId);
    for (const b of this.budgets) {
      const used = this.used.get(b.id);
      if (used !== undefined && bearsOn(b, payer)) this.used.set(b.id, used + (charge[b.unit] ?? 0));
    }
  }

  /** Kept for a request that may still have its effect. */
  keep(hold: HeldCharge): void {
    this.holds?.set(hold.draftId, hold);
  }

  private async usedOf(b: BudgetRow): Promise<number> {
    const known = this.used.get(b.id);
    if (known !== undefined) return known;
    const written = await readUsed(this.look.tx, b, windowOf(b.period, b.createdAt, this.look.now).from);
    const used = this.unwritten().reduce((sum, row) => sum + (row.tenantId === b.tenantId && bearsOn(b, row) ? (row.amounts[b.unit] ?? 0) : 0), written);
    this.used.set(b.id, used);
    return used;
  }

  /** No longer what was rejected, has lapsed, or came through a delegation that ended. */
  private openHolds(): Promise<Map<string, HeldCharge>> {
    this.reading ??= this.readHolds();
    return this.reading;
  }

  private async readHolds(): Promise<Map<string, HeldCharge>> {
    const { plane, tx, tenantId, now } = this.look;
    const all = await readHeldCharges(tx, tenantId, now);
    const asked = all.flatMap(({ confirmationId }) => confirmationId ?? []);
    const open = new Set(asked.length === 0 ? [] : await plane.iam.openConfirmations(tx, asked));
    this.holds = new Map(all.filter(({ confirmationId }) => confirmationId === null || open.has(confirmationId)).map((hold) => [hold.draftId, hold]));
    return this.holds;
  }
}

/** For looking only: what is told may be old a moment later. */
export async function budgetsAfter(look: Look, payer: Payer, charge: Charge, ownDraftId?: string): Promise<BudgetAfter[]> {
  const budgets = await readBearing(look.tx, look.tenantId, payer.ownerId, payer.delegationId);
  return new Book(look, budgets).after(payer, charge, ownDraftId);
}

function after(b: BudgetRow, { used, held }: Figures, amount: number): BudgetAfter {
  const asked = rounded(amount);
  const figures: Omit<BudgetAfter, 'text'> = {
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
  return { ...figures, text: budgetText(figures) };
}
