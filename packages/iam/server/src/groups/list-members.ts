import type { InputOf, OutputOf } from '@kit/operation';
import { type Call, iamResource } from '../call.ts';
import { identityRecord, listMemberRows } from '../identities/store.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { notFound } from '../refuse.ts';
import { findGroup } from './store.ts';

type ListMembers = OperationOf<'groups.listMembers'>;

export async function listMembers(call: Call, input: InputOf<ListMembers>): Promise<OutputOf<ListMembers>> {
  const { tx, tenantId, now } = call;
  await call.require('iam:groups:read', iamResource(tenantId, input.groupId), notFound());
  if (!(await findGroup(tx, tenantId, input.groupId))) throw notFound();
  const { take, skip } = windowOf(input);
  return pageOf(await listMemberRows(tx, input.groupId, now, take, skip), input, identityRecord);
}
