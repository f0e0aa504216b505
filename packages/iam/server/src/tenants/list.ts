import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { listChildren, tenantRecord } from './store.ts';

type List = OperationOf<'tenants.list'>;

export async function listTenants(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:tenants:read');
  const { take, skip } = windowOf(input);
  return pageOf(await listChildren(call.tx, call.tenantId, take, skip), input, tenantRecord);
}
