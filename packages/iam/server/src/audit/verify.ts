import type { OutputOf } from '@kit/operation';
import { type ChainPosition, genesis, verifyChain } from '@better-iam/core';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { eventsAfter, headOf } from './store.ts';

type Verify = OperationOf<'audit.verify'>;

/** The whole chain, page by page, against the head as it was when the walk began: events that come meanwhile are the next walk's. */
export async function verifyAudit(call: Call): Promise<OutputOf<Verify>> {
  await call.require('iam:audit:read');
  const head = (await headOf(call.tx, call.tenantId)) ?? genesis;
  let after: ChainPosition = genesis;
  for (;;) {
    const page = (await eventsAfter(call.tx, call.tenantId, after.sequence, limits.auditPageMax)).filter((event) => event.sequence <= head.sequence);
    const isLast = page.length < limits.auditPageMax;
    const verdict = verifyChain(page, { after, ...(isLast ? { head } : {}) });
    if (!verdict.ok) return { ok: false, events: verdict.sequence - 1, failure: verdict.failure, sequence: verdict.sequence };
    if (isLast) return { ok: true, events: verdict.head.sequence, hash: verdict.head.hash };
    after = verdict.head;
  }
}
