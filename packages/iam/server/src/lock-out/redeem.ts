import type { InputOf, OutputOf } from '@kit/operation';
import type { Tx } from '@kit/store';
import type { JsonValue } from '@better-iam/core';
import { appendEvent, nobody } from '../audit/append.ts';
import { clientOf, enter, tellSession } from '../auth/enter.ts';
import { hashPassword } from '../auth/passwords.ts';
import { countSignIn, failureTenant } from '../auth/sign-in.ts';
import type { Transport } from '../call.ts';
import { findPersonByEmail, setPassword } from '../identities/store.ts';
import { dropFactor } from '../mfa/store.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { Recorded, settle } from '../recorded.ts';
import { refuse } from '../refuse.ts';
import { lockTenants, raiseGeneration } from '../state/generation.ts';
import { findTenant, findTenantBySlug } from '../tenants/store.ts';
import { endEverything } from './end-everything.ts';
import { spendResetCode } from './store.ts';

type RedeemCode = OperationOf<'auth.redeemCode'>;

const wrong = () => refuse('INVALID_CREDENTIALS', 'organization, address or code is wrong, or the code has been used or is too old');

/**
 * Sets the password, and drops the second factor where the code says so (iam.md §3.5). What was opened or granted since the code was made ends too:
 * whoever knew the old password had that long.
 */
export async function redeemCode(plane: Plane, input: InputOf<RedeemCode>, transport: Transport): Promise<OutputOf<RedeemCode>> {
  await countSignIn(plane, input);
  // for a wrong code as well: the slow part takes the same time for everybody
  const record = await hashPassword(input.password);
  const outcome = await plane.db.transaction((tx) => settle(async () => await redeem(plane, tx, input, record, transport)));
  if ('refusal' in outcome) throw outcome.refusal;
  tellSession(transport, outcome.value);
  return outcome.value;
}

async function redeem(plane: Plane, tx: Tx, input: InputOf<RedeemCode>, record: string, transport: Transport): Promise<OutputOf<RedeemCode>> {
  const tenant = input.organization === undefined ? await findTenant(tx, input.tenantId!) : await findTenantBySlug(tx, input.organization);
  if (tenant) await lockTenants(tx, tenant.path, 'change');
  const now = plane.now();
  const person = tenant && (await findPersonByEmail(tx, tenant.id, input.email, now));
  const isActive = person?.status === 'active' && (person.expiresAt === null || person.expiresAt > now);
  const code = isActive ? await spendResetCode(plane, tx, person.id, input.code) : undefined;
  if (!tenant || !person || !code) {
    const tenantId = tenant?.id ?? (await failureTenant(tx));
    if (tenantId !== undefined) {
      const metadata = clientOf(transport, { method: 'code' });
      appendEvent(plane, tx, tenantId, nobody, { action: 'auth:signin:fail', resourceId: person?.id ?? tenantId, outcome: 'deny', metadata });
    }
    throw new Recorded(wrong());
  }
  const isWorking = await tx.one(`select 1 where not exists (select 1 from iam.tenants where id = any ($1) and status <> 'active')`, [tenant.path]);
  if (!isWorking) throw refuse('TENANT_UNAVAILABLE', 'the organization, or one above it, is not active');
  const actor = { id: person.id, sessionContext: {} };
  const audit = async (action: string, resourceId: string, metadata: Record<string, JsonValue> = {}) =>
    appendEvent(plane, tx, tenant.id, actor, { action, resourceId, outcome: 'allow', metadata });
  const ended = await endEverything({ tx, now, audit }, person.id);
  await setPassword(tx, person.id, record, now);
  if (code.dropsFactor) await dropFactor(tx, person.id);
  await audit('auth:code:redeem', person.id, clientOf(transport, { codeId: code.id, factor: code.dropsFactor, ...ended }));
  await raiseGeneration(tx, tenant.id);
  const who = { tenantId: tenant.id, identityId: person.id, method: 'code', hasProvedFactor: false, metadata: { codeId: code.id } };
  const entered = await enter(plane, tx, who, transport);
  if (!entered) throw wrong();
  return entered;
}
