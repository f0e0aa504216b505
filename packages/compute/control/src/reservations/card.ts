import type { DeviceRequest, PoolConfig } from '@better-compute/contract';
import type { Card } from '../handler.ts';
import type { Prices } from '../plane.ts';
import { invalidInput } from '../refuse.ts';
import { costText, plannedCost } from './cost.ts';
import { gpusOf, type Plan } from './plan.ts';
import type { ReservationRow } from './store.ts';

/** What a card is written with: the pool, the GPU names it really has, and prices. */
export interface Writing {
  pool: PoolConfig;
  names: ReadonlySet<string>;
  prices: Prices | undefined;
}

/** Longest summary and fact a confirmation takes (iam.md §9.2). */
const SUMMARY_MAX = 2_000;
const FACT_MAX = 256;

/** What an agent typed and no catalog knows is quoted: shown, never spoken in our voice (iam.md §18 rule 14). */
const quoted = (text: string): string => JSON.stringify(text);

const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function whatText(parts: readonly DeviceRequest[], names: ReadonlySet<string>): string {
  const texts = parts.map(({ count, model, product, nvlink }) => {
    const named = [product, model].filter((name) => name !== undefined).map((name) => (names.has(name) ? name : quoted(name)));
    return `${count} × ${named.join(', model ') || 'GPU'}${nvlink && count > 1 ? ' in one NVLink domain' : ''}`;
  });
  return texts.join(' + ');
}

/** Of a gang each part says which one it is. */
function selectorText({ selector }: DeviceRequest, index: number, parts: readonly DeviceRequest[]): string {
  const text = selector.map(({ key, op, values }) => [quoted(key), op, (values ?? []).map(quoted).join(', ')].join(' ').trim()).join('; ');
  return text === '' || parts.length === 1 ? text : `part ${index + 1}: ${text}`;
}

/** Nothing of what a person reads is cut short: what does not fit in a fact is in the summary alone. */
const fact = (label: string, value: string): Card['facts'] => (value.length <= FACT_MAX ? [{ label, value }] : []);

function cardOf(summary: string, facts: Card['facts'][]): Card {
  if (summary.length > SUMMARY_MAX) throw invalidInput('requests', 'is more than can be shown to the person who has to approve it: ask for less at once');
  return { summary, facts: facts.flat() };
}

/** Every argument that changes the effect is in the summary (iam.md §18 rule 7). */
export function createCard({ pool, names, prices }: Writing, plan: Plan): Card {
  const what = whatText(plan.requests, names);
  const when = plan.startsAt === undefined ? 'as soon as placed' : timeText(plan.startsAt);
  const wanted = plan.requests.map(selectorText).filter((text) => text !== '');
  const host = `${plan.resources.vcpu} vCPU and ${plan.resources.memoryGiB} GiB of host memory`;
  const extras = [
    ...(plan.startsAt === undefined ? [] : [`from ${when}`]),
    ...(plan.wholeNodes ? ['whole nodes'] : []),
    ...(plan.spot ? ['spot: may be pre-empted'] : []),
    ...(plan.binding === 'kubernetes' ? ['bound to Kubernetes'] : []),
    ...(wanted.length > 0 ? [`only where ${wanted.join(' + ')}`] : []),
  ];
  return cardOf(`Reserve ${what} in pool ${quoted(pool.name)} for ${plan.duration}, with ${host}${extras.map((text) => `, ${text}`).join('')}.`, [
    fact('What', what),
    fact('GPUs', String(gpusOf(plan))),
    fact('Where', `${pool.name} (${pool.id})`),
    fact('From', when),
    fact('How long', plan.duration),
    fact('Cost', costText(plannedCost(prices, plan))),
    fact('Host share', host),
    ...(wanted.length > 0 ? [fact('Only where', wanted.join(' + '))] : []),
    ...(plan.wholeNodes ? [fact('Whole nodes', 'yes')] : []),
    ...(plan.spot ? [fact('Spot', 'may be pre-empted by others')] : []),
    ...(plan.binding === 'kubernetes' ? [fact('Binding', 'Kubernetes')] : []),
  ]);
}

export function extendCard({ pool, names, prices }: Writing, row: ReservationRow, by: string, addMs: number): Card {
  const what = whatText(row.request.requests, names);
  const [now, then] = [timeText(row.expiresAt!), timeText(row.expiresAt! + addMs)];
  return cardOf(`Extend the reservation of ${what} in pool ${quoted(pool.name)} by ${by}, until ${then}.`, [
    fact('Reservation', row.id),
    fact('What', what),
    fact('Where', `${pool.name} (${pool.id})`),
    fact('Ends now', now),
    fact('Would end', then),
    fact('Added', by),
    fact('Cost', costText(plannedCost(prices, row.request, addMs))),
  ]);
}

export function releaseCard(row: ReservationRow): Card {
  const what = whatText(row.request.requests, new Set(Object.keys(row.products)));
  const summary = row.state === 'active' ? `Release ${what}: whatever runs there loses them now.` : `Cancel the reservation of ${what} before it starts.`;
  return cardOf(summary, [fact('Reservation', row.id), fact('What', what), fact('Pool', row.poolId)]);
}
