import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { identityRecord, listIdentityRows } from './store.ts';

type List = OperationOf<'identities.list'>;

export async function listIdentities(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:identities:read');
  const { take, skip } = windowOf(input);
  return pageOf(await listIdentityRows(call.tx, call.tenantId, input.kind ?? null, call.now, take, skip), input, identityRecord);
}
