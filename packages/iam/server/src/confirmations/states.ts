import type { ConfirmationStatus } from '@better-iam/contract';
import { refuse } from '../refuse.ts';

/**
 * iam.md §17.2. Deciding is for `pending` inside its window, using for `approved` inside its validity; both ends are strict: at the exact millisecond it
 * is gone. `rejected`, `used` and lapsed ones never come back.
 */
export function checkDecidable(c: { status: ConfirmationStatus; expiresAt: number }, now: number): void {
  if (c.status !== 'pending') throw refuse('INVALID_TRANSITION', `the request is ${c.status}`);
  if (c.expiresAt <= now) throw refuse('INVALID_TRANSITION', 'the request has lapsed: the agent has to ask again');
}

export const outcomeOf = (isApproved: boolean): 'approved' | 'rejected' => (isApproved ? 'approved' : 'rejected');
