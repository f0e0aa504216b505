import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { bindingRecord, listBindingRows } from './store.ts';

type List = OperationOf<'bindings.list'>;

export async function listBindings(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:bindings:read');
  const filter = {
    tenantId: call.tenantId,
    roleId: input.roleId ?? null,
    identityId: input.identityId ?? null,
    groupId: input.groupId ?? null,
    ...windowOf(input),
  };
  return pageOf(await listBindingRows(call.tx, filter), input, bindingRecord);
}
