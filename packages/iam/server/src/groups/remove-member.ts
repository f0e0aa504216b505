import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { findGroup, takeFromGroup } from './store.ts';

type RemoveMember = OperationOf<'groups.removeMember'>;

export async function removeMember(call: Call, input: InputOf<RemoveMember>): Promise<OutputOf<RemoveMember>> {
  const group = await findGroup(call.tx, call.tenantId, input.groupId);
  if (!group || !(await takeFromGroup(call.tx, group.id, input.identityId))) throw notFound();
  await call.changed(group.id, input);
  return { ...group, members: group.members - 1 };
}
