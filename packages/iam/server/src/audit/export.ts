import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { eventsAfter } from './store.ts';

type Export = OperationOf<'audit.export'>;

export async function exportAudit(call: Call, input: InputOf<Export>): Promise<OutputOf<Export>> {
  await call.require('iam:audit:read');
  const limit = input.limit ?? limits.auditPageMax;
  const items = await eventsAfter(call.tx, call.tenantId, input.afterSequence ?? 0, limit);
  return { items, nextAfter: items.length === limit ? (items.at(-1)?.sequence ?? null) : null };
}
