import type { Confirmation, FullApi } from '@better-iam/client';
import { standingOf } from './standing.ts';

const PENDING_PAGE = 100;
const PAST_PAGE = 30;

export interface Page {
  items: Confirmation[];
  nextOffset: number | null;
}

/** All that wait. Newest first and one window for all: after the first lapsed one there are only lapsed ones. */
export async function readPending(api: FullApi, now: number, signal: AbortSignal): Promise<Confirmation[]> {
  const found: Confirmation[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Page = await api.delegations.listConfirmations({ status: 'pending', limit: PENDING_PAGE, offset }, { signal });
    found.push(...page.items);
    const last = page.items.at(-1);
    offset = last && standingOf(last, now) === 'pending' ? page.nextOffset : null;
  }
  return found;
}

export async function readPast(api: FullApi, offset: number, signal?: AbortSignal): Promise<Page> {
  return await api.delegations.listConfirmations({ limit: PAST_PAGE, offset }, signal ? { signal } : {});
}
