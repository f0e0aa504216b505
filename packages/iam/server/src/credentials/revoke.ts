import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { endHandoffsOf } from '../delegations/end.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { credentialRecord, findKey, revokeKey } from './store.ts';

type Revoke = OperationOf<'credentials.revoke'>;

/** By whoever holds it, or an owner; stopping something needs no recent sign-in. */
export async function revokeCredential(call: Call, input: InputOf<Revoke>): Promise<OutputOf<Revoke>> {
  const { principal, tx, tenantId } = call;
  const row = await findKey(tx, tenantId, input.credentialId);
  if (row?.identityId !== principal.identity.id) {
    await call.require('iam:credentials:read', undefined, notFound());
    if (!row) throw notFound();
    if (!principal.isOwner && !principal.hasRootOverride) throw accessDenied();
  }
  if (!row || !(await revokeKey(tx, row.id, call.now))) throw refuse('INVALID_TRANSITION', 'it is revoked already');
  await endHandoffsOf(call, { keyId: row.id });
  await call.audit('credential:revoke', row.id, { kind: row.kind, ownerId: row.identityId });
  return credentialRecord((await findKey(tx, tenantId, row.id))!);
}
