import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { confirmationOf } from './record.ts';
import { listConfirmationRows } from './store.ts';
import { viewerOf } from './viewer.ts';

type List = OperationOf<'delegations.listConfirmations'>;

export async function listConfirmations(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  const { as, ...whose } = viewerOf(call);
  const rows = await listConfirmationRows(call.tx, { tenantId: call.tenantId, ...whose, status: input.status ?? null, now: call.now, ...windowOf(input) });
  return pageOf(rows, input, (row) => confirmationOf(row, call.now, as));
}
