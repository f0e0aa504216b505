import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { findIdentity } from '../identities/store.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { addToGroup, findGroup } from './store.ts';

type AddMember = OperationOf<'groups.addMember'>;

export async function addMember(call: Call, input: InputOf<AddMember>): Promise<OutputOf<AddMember>> {
  const { tx, tenantId, now } = call;
  const group = await findGroup(tx, tenantId, input.groupId);
  const identity = await findIdentity(tx, tenantId, input.identityId, now);
  if (!group || !identity || identity.status === 'deleted') throw notFound();
  if (!(await addToGroup(tx, group.id, identity.id, now))) throw refuse('CONFLICT', 'it is in the group already');
  await call.changed(group.id, input);
  return { ...group, members: group.members + 1 };
}
