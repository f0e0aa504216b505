import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { accessDenied } from '../refuse.ts';
import { delegationRecord, listDelegationRows } from './store.ts';

type ListMine = OperationOf<'delegations.listMine'>;

export async function listMyDelegations(call: Call, input: InputOf<ListMine>): Promise<OutputOf<ListMine>> {
  const { id, kind, tenantId } = call.principal.identity;
  if (kind === 'service') throw accessDenied();
  const whose = kind === 'agent' ? { agentId: id, subjectId: null } : { agentId: null, subjectId: id };
  return pageOf(await listDelegationRows(call.tx, { tenantId, ...whose, status: null, ...windowOf(input) }), input, (row) => delegationRecord(row, call.now));
}
