import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { listPolicyRows } from './store.ts';

type List = OperationOf<'policies.list'>;

export async function listPolicies(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:policies:read');
  const { take, skip } = windowOf(input);
  return pageOf(await listPolicyRows(call.tx, call.tenantId, take, skip), input, (row) => row);
}
