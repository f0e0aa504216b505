import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { agentRecord, listAgentRows } from './store.ts';

type ListMine = OperationOf<'agents.listMine'>;

export async function listMyAgents(call: Call, input: InputOf<ListMine>): Promise<OutputOf<ListMine>> {
  const { take, skip } = windowOf(input);
  const { identity } = call.principal;
  return pageOf(await listAgentRows(call.tx, identity.tenantId, identity.id, take, skip), input, (row) => agentRecord(row, call.now));
}
