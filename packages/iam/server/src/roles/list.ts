import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { listRoleRows, roleRecord } from './store.ts';

type List = OperationOf<'roles.list'>;

export async function listRoles(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:roles:read');
  const { take, skip } = windowOf(input);
  return pageOf(await listRoleRows(call.tx, call.tenantId, take, skip), input, roleRecord);
}
