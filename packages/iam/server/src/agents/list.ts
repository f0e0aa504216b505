import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { agentRecord, listAgentRows } from './store.ts';

type List = OperationOf<'agents.list'>;

export async function listAgents(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:agents:read');
  const { take, skip } = windowOf(input);
  return pageOf(await listAgentRows(call.tx, call.tenantId, null, take, skip), input, (row) => agentRecord(row, call.now));
}
