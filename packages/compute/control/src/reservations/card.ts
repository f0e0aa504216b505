import type { DeviceRequest, PoolConfig } from '@better-compute/contract';
import type { Card } from '../handler.ts';
import type { Prices } from '../plane.ts';
import { costText, plannedCost } from './cost.ts';
import type { Plan } from './plan.ts';
import { gpusOf } from './plan.ts';
import type { ReservationRow } from './store.ts';

const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What the agent typed is quoted: it is shown, never spoken in our voice (iam.md §18 rule 14). */
const quoted = (text: string): string => JSON.stringify(text);

export function partText(part: DeviceRequest): string {
  const kind = part.product ?? part.model;
  return `${part.count} × ${kind === undefined ? 'GPU' : quoted(kind)}${part.nvlink && part.count > 1 ? ' in one NVLink domain' : ''}`;
}

const selectorText = ({ selector }: DeviceRequest): string =>
  selector.map((s) => `${quoted(s.key)} ${s.op} ${(s.values ?? []).map(quoted).join(', ')}`.trim()).join('; ');

/** What the person reads: every argument that changes the effect is in it (iam.md §18 rule 7). */
export function createCard(pool: PoolConfig, plan: Plan, prices: Prices | undefined): Card {
  const what = plan.requests.map(partText).join(' + ');
  const when = plan.startsAt === undefined ? 'as soon as placed' : timeText(plan.startsAt);
  const wanted = plan.requests.map(selectorText).filter((text) => text !== '');
  return {
    summary: `Reserve ${what} in pool ${quoted(pool.name)} for ${plan.duration}${plan.startsAt === undefined ? '' : `, from ${when}`}${plan.wholeNodes ? ', whole nodes' : ''}.`,
    facts: [
      { label: 'What', value: what },
      { label: 'GPUs', value: String(gpusOf(plan)) },
      { label: 'Where', value: `${pool.name} (${pool.id})` },
      { label: 'From', value: when },
      { label: 'How long', value: plan.duration },
      { label: 'Cost', value: costText(plannedCost(prices, plan)) },
      { label: 'Host share', value: `${plan.resources.vcpu} vCPU, ${plan.resources.memoryGiB} GiB` },
      ...(wanted.length > 0 ? [{ label: 'Only where', value: wanted.join(' + ').slice(0, 1_000) }] : []),
      ...(plan.wholeNodes ? [{ label: 'Whole nodes', value: 'yes' }] : []),
      ...(plan.spot ? [{ label: 'Spot', value: 'may be pre-empted by others' }] : []),
      ...(plan.binding === 'kubernetes' ? [{ label: 'Binding', value: 'Kubernetes' }] : []),
    ],
  };
}

export function extendCard(pool: PoolConfig, row: ReservationRow, by: string, addMs: number, prices: Prices | undefined): Card {
  const what = row.request.requests.map(partText).join(' + ');
  return {
    summary: `Extend the reservation of ${what} in pool ${quoted(pool.name)} by ${by}, until ${timeText(row.expiresAt! + addMs)}.`,
    facts: [
      { label: 'Reservation', value: row.id },
      { label: 'What', value: what },
      { label: 'Where', value: `${pool.name} (${pool.id})` },
      { label: 'Ends now', value: timeText(row.expiresAt!) },
      { label: 'Would end', value: timeText(row.expiresAt! + addMs) },
      { label: 'Added', value: by },
      { label: 'Cost', value: costText(plannedCost(prices, row.request, addMs)) },
    ],
  };
}

export function releaseCard(row: ReservationRow): Card {
  const what = row.request.requests.map(partText).join(' + ');
  return {
    summary: row.state === 'active' ? `Release ${what}: whatever runs there loses them now.` : `Cancel the reservation of ${what} before it starts.`,
    facts: [
      { label: 'Reservation', value: row.id },
      { label: 'What', value: what },
      { label: 'Pool', value: row.poolId },
    ],
  };
}
