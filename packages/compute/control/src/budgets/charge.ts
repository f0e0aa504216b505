import type { BudgetUnit } from '@better-compute/contract';

/** How much of what a request takes. */
export type Charge = Readonly<Partial<Record<BudgetUnit, number>>>;

/** Who pays: the owner of what is made or changed, and the delegation it came through. */
export interface Payer {
  ownerId: string;
  delegationId: string | null;
}

/** Hours add up over a period; live counts hold at a moment. */
export const isCount = (unit: BudgetUnit): boolean => unit.startsWith('live');

/**
 * What stays charged of an object that used less than it booked, by entry, oldest first: what is given back is given back by the latest
 * entry first, so that an extension of today pays for today. Pure.
 */
export function settled(entries: readonly Charge[], used: Charge): Charge[] {
  const rest: Partial<Record<BudgetUnit, number>> = { ...used };
  return entries.map((entry) =>
    Object.fromEntries(
      Object.entries(entry).map(([name, amount]) => {
        const unit = name as BudgetUnit;
        if (isCount(unit)) return [unit, amount];
        const kept = Math.min(amount, rest[unit] ?? 0);
        rest[unit] = (rest[unit] ?? 0) - kept;
        return [unit, kept];
      }),
    ),
  );
}
