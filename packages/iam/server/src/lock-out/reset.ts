import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { findIdentity } from '../identities/store.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { endEverything } from './end-everything.ts';
import { makeCode } from './store.ts';

type Reset = OperationOf<'identities.reset'>;

/** By another owner (iam.md §3.5). The old password stays until the code is redeemed; everything that was open does not. */
export async function resetIdentity(call: Call, input: InputOf<Reset>): Promise<OutputOf<Reset>> {
  const { plane, tx, tenantId, principal, now } = call;
  const row = await findIdentity(tx, tenantId, input.identityId, now);
  if (!row || row.status === 'deleted') throw notFound();
  if (row.kind !== 'user') throw refuse('INVALID_IDENTITY', 'only people sign in: make a machine account or an agent a new key');
  if (row.id === principal.identity.id) throw refuse('INVALID_IDENTITY', 'another owner does this for you, or the host: better-compute iam break-glass');
  if (row.status !== 'active') throw refuse('INVALID_TRANSITION', `the person is ${row.status}: enable them first`);
  const target = await tx.one<{ isRootAdmin: boolean }>('select root_admin as "isRootAdmin" from iam.identities where id = $1', [row.id]);
  // an owner of the root tenant could otherwise become root administrator by way of the code
  if (target?.isRootAdmin && !principal.hasRootOverride)
    throw refuse('PROTECTED_RESOURCE', 'a root administrator is let in again by another one, or from the host: better-compute iam break-glass');
  const dropsFactor = input.factor ?? false;
  const { codeId, code, expiresAt } = await makeCode(plane, tx, {
    tenantId,
    identityId: row.id,
    kind: 'reset',
    dropsFactor,
    reason: input.reason,
    madeBy: principal.identity.id,
    lifeMs: limits.resetMs,
  });
  const ended = await endEverything(call, row.id);
  await call.audit('auth:reset', row.id, { reason: input.reason, codeId, factor: dropsFactor, ...ended });
  return { codeId, code, expiresAt };
}
