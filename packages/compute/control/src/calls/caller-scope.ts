import type { Queryable } from '@kit/store';
import type { Caller } from '../iam-port.ts';

/** Whose call it is: keys and drafts of one of these are nobody else's (compute.md §2.3). */
export type CallerScope = readonly [tenantId: string, subjectId: string, agentId: string, delegationId: string, operation: string];

export const callerScopeOf = (tenantId: string, caller: Caller, operation: string): CallerScope => [
  tenantId,
  caller.identityId,
  caller.agentId ?? '',
  caller.delegationId ?? '',
  operation,
];

/** One at a time for each of these keys, in all processes: the second waits for the first and then sees what came of it. Always in one order. */
export const lockCalls = (q: Queryable, calls: readonly { scope: CallerScope; key: string }[]): Promise<number> =>
  q.run(`select pg_advisory_xact_lock(hash) from (select hashtextextended(name, 7203461986) as hash from unnest($1::text[]) name order by 1) ordered`, [
    calls.map(({ scope, key }) => JSON.stringify([...scope, key])),
  ]);
