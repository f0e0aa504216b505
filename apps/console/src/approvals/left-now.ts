import type { Confirmation } from '@better-iam/client';
import type { Standing } from './standing.ts';

/** What the page shows of `budgets.left`: each budget in the server's words. */
export interface LeftNow {
  at: number;
  budgets: readonly { budgetId: string; text: string }[];
  fitsNow: boolean | null;
}

/** The held request of a confirmation that still waits, where it is one that takes from budgets and capacity. */
export const draftOf = ({ resource }: Confirmation, standing: Standing): string | undefined =>
  standing === 'pending' && resource.id.startsWith('drf_') ? resource.id : undefined;

/** Null where there is nothing to tell, or nothing is told to this person; throws what the network throws. */
export async function readLeft(draftId: string, { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal }): Promise<LeftNow | null> {
  const response = await fetch('/api/compute/budgets/left', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-better-iam': '1' },
    body: JSON.stringify({ draftId }),
    signal,
    cache: 'no-store',
  });
  if (!response.ok) return null;
  const { data } = (await response.json()) as { data: { left: LeftNow } };
  return data.left.budgets.length === 0 && data.left.fitsNow === null ? null : data.left;
}

export const roomText = (fitsNow: boolean): string =>
  fitsNow ? 'There is room for it now.' : 'There is no room for it now: approved, it would wait or be refused.';
