import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { findGroup } from '../groups/store.ts';
import { findIdentity } from '../identities/store.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { findRole } from '../roles/store.ts';
import { bindingRecord, bindRole } from './store.ts';

type Create = OperationOf<'bindings.create'>;

export async function createBinding(call: Call, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { plane, tx, tenantId, now } = call;
  const role = await findRole(tx, tenantId, input.roleId);
  const target = await targetOf(call, input);
  if (!role || !target) throw notFound();
  if (role.protected && target.kind !== 'user') throw refuse('INVALID_IDENTITY', 'only a person can be an owner, each for themselves');
  const { startsAt = null, expiresAt = null } = input;
  // an owner for a time would let the last one lapse
  if (role.protected && (startsAt !== null || expiresAt !== null)) throw refuse('PROTECTED_RESOURCE', 'the Owner role is given for good, or taken away');
  if (expiresAt !== null && expiresAt <= Math.max(now, startsAt ?? now))
    throw refuse('INVALID_INPUT', 'expiresAt must be after the start and in the future', { details: { path: 'expiresAt' } });
  const row = { id: plane.newId('bnd_'), tenantId, roleId: role.id, ...target.ids, startsAt, expiresAt, createdAt: now };
  await bindRole(tx, row);
  await call.changed(row.id, input);
  return bindingRecord(row);
}

/** The identity or the group, exactly one of them, of this tenant; undefined where there is none. */
async function targetOf(call: Call, { identityId, groupId }: InputOf<Create>) {
  const { tx, tenantId, now } = call;
  if ((identityId === undefined) === (groupId === undefined))
    throw refuse('INVALID_INPUT', 'give exactly one of identityId and groupId', { details: { path: 'identityId' } });
  if (groupId !== undefined) return (await findGroup(tx, tenantId, groupId)) && { kind: 'group', ids: { identityId: null, groupId } };
  const identity = await findIdentity(tx, tenantId, identityId!, now);
  return identity && identity.status !== 'deleted' ? { kind: identity.kind, ids: { identityId: identity.id, groupId: null } } : undefined;
}
