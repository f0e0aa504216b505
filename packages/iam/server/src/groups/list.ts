import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { listGroupRows } from './store.ts';

type List = OperationOf<'groups.list'>;

export async function listGroups(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:groups:read');
  const { take, skip } = windowOf(input);
  return pageOf(await listGroupRows(call.tx, call.tenantId, input.identityId ?? null, take, skip), input, (row) => row);
}
