import type { Cost } from '@better-compute/contract';
import { durationMs } from '@kit/operation';
import type { Charge } from '../budgets/charge.ts';
import type { Prices } from '../plane.ts';
import type { Plan } from './plan.ts';
import { gpusOf } from './plan.ts';

const HOUR_MS = 3_600_000;
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** An amount only where every GPU has a price: a sum with holes would be read as the whole. */
export function costOf(prices: Prices | undefined, products: Readonly<Record<string, number>>, gpus: number, ms: number): Cost {
  const gpuHours = rounded((gpus * ms) / HOUR_MS);
  const priced = Object.entries(products).filter(([product]) => prices !== undefined && Object.hasOwn(prices.gpuHour, product));
  const covered = priced.reduce((sum, [, count]) => sum + count, 0);
  if (prices === undefined || covered < gpus) return { gpuHours };
  const amount = priced.reduce((sum, [product, count]) => sum + count * (prices.gpuHour[product] ?? 0) * (ms / HOUR_MS), 0);
  return { gpuHours, amount: rounded(amount), currency: prices.currency };
}

/** Before it is placed: known as far as the request names products. */
export function plannedCost(prices: Prices | undefined, plan: Plan, ms: number = durationMs(plan.duration)): Cost {
  const products: Record<string, number> = {};
  for (const { product, count } of plan.requests) if (product !== undefined) products[product] = (products[product] ?? 0) + count;
  return costOf(prices, products, gpusOf(plan), ms);
}

/** What a new reservation takes of budgets. */
export const createCharge = (plan: Plan): Charge => ({ ...hoursCharge(plan, durationMs(plan.duration)), liveReservations: 1 });

/** Its GPUs and host share for so long. */
export const hoursCharge = (plan: Plan, ms: number): Charge => ({ gpuHours: (gpusOf(plan) * ms) / HOUR_MS, vcpuHours: (plan.resources.vcpu * ms) / HOUR_MS });

export const costText = ({ gpuHours, amount, currency }: Cost): string =>
  amount === undefined ? `${gpuHours} GPU-hours` : `${amount.toFixed(2)} ${currency} (${gpuHours} GPU-hours)`;
