import type { Identity } from '@better-iam/contract';
import { endSessionsOf } from '../credentials/store.ts';
import { endDelegationsOf, endHandoffsOf } from '../delegations/end.ts';
import { endDeputiesOf } from '../deputies/end.ts';
import type { Call } from '../call.ts';
import { dropFactor } from '../mfa/store.ts';
import { notFound, refuse } from '../refuse.ts';
import { after } from './states.ts';
import { findIdentity, identityRecord, otherActiveOwners, setIdentityStatus } from './store.ts';

/**
 * Disabling ends the sessions that are open; keys are refused while it lasts. Deleting also ends what the identity delegated or was delegated, and what
 * it was given. The last active owner can be neither (iam.md §2.1).
 */
export async function changeStatus(call: Call, identityId: string, verb: 'disable' | 'enable' | 'delete'): Promise<Identity> {
  const { tx, tenantId, now } = call;
  const row = await findIdentity(tx, tenantId, identityId, now);
  if (!row) throw notFound();
  const status = after(verb, row.status);
  if (status !== 'active' && row.owner && (await otherActiveOwners(tx, tenantId, identityId, now)) === 0)
    throw refuse('PROTECTED_RESOURCE', 'the last active owner of an organization stays');
  await setIdentityStatus(tx, identityId, status, now);
  if (status !== 'active') {
    await endSessionsOf(tx, identityId, now, status === 'deleted');
    await endHandoffsOf(call, { identityId });
    await endDeputiesOf(call, identityId);
  }
  if (status === 'deleted') {
    await endDelegationsOf(call, identityId);
    await dropFactor(tx, identityId);
    await tx.run('delete from iam.passwords where identity_id = $1', [identityId]);
    for (const table of ['bindings', 'group_members']) await tx.run(`delete from iam.${table} where identity_id = $1`, [identityId]);
  }
  await call.changed(identityId, { identityId });
  return identityRecord((await findIdentity(tx, tenantId, identityId, now))!);
}
