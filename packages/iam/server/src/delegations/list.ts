import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { delegationRecord, listDelegationRows } from './store.ts';

type List = OperationOf<'delegations.list'>;

export async function listDelegations(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:delegations:read');
  const filter = {
    tenantId: call.tenantId,
    agentId: input.agentId ?? null,
    subjectId: input.subjectId ?? null,
    status: input.status ?? null,
    ...windowOf(input),
  };
  return pageOf(await listDelegationRows(call.tx, filter), input, (row) => delegationRecord(row, call.now));
}
