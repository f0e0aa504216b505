import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { deputyRecord, listDeputyRows } from './store.ts';

type List = OperationOf<'delegations.listDeputies'>;

export async function listDeputies(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  const { take, skip } = windowOf(input);
  return pageOf(await listDeputyRows(call.tx, call.principal.identity.id, take, skip), input, (row) => deputyRecord(row, call.now));
}
