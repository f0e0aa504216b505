import type { Delegation } from '@better-iam/contract';
import { refuse } from '../refuse.ts';
import { type DelegationRow, isExpired } from './store.ts';

/** iam.md §14.3; `denied` and `revoked` are the end. */
const from: Readonly<Record<'approve' | 'deny' | 'revoke', readonly Delegation['status'][]>> = {
  approve: ['pending'],
  deny: ['pending'],
  revoke: ['pending', 'active'],
};

/** `INVALID_TRANSITION` where there is no way; a request nobody decided in time can only be ended. */
export function checkTransition(verb: keyof typeof from, row: DelegationRow, now: number): void {
  if (!from[verb].includes(row.status)) throw refuse('INVALID_TRANSITION', `the delegation is ${row.status}`);
  if (verb !== 'revoke' && isExpired(row, now)) throw refuse('INVALID_TRANSITION', 'nobody decided in time: the agent has to ask again');
}
