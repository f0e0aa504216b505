import type { InputOf, OutputOf } from '@kit/operation';
import type { Tx } from '@kit/store';
import { appendEvent, nobody } from '../audit/append.ts';
import { countAttempt } from '../attempts.ts';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { clientOf, enter, tellSession } from './enter.ts';
import { findRoot, findTenantBySlug } from '../tenants/store.ts';
import { passwordFits } from './passwords.ts';

type SignIn = OperationOf<'auth.signIn'>;

interface Account {
  tenantId: string;
  /** It and every tenant above it. */
  isTenantActive: boolean;
  identityId: string | null;
  isActive: boolean;
  hash: string | null;
}

/** One select whether or not there is such an organization, address or password. */
const accountBy = `
select t.id as "tenantId", not exists (select 1 from iam.tenants up where up.id = any (t.path) and up.status <> 'active') as "isTenantActive",
  i.id as "identityId", coalesce(i.status = 'active' and (i.expires_at is null or i.expires_at > $4), false) as "isActive", p.hash
from iam.tenants t
left join iam.identities i on i.tenant_id = t.id and lower(i.email) = lower($3) and i.kind = 'user' and i.status <> 'deleted'
left join iam.passwords p on p.identity_id = i.id
where t.slug = $1 or t.id = $2`;

const wrong = () => refuse('INVALID_CREDENTIALS', 'organization, address or password is wrong');

/** One count for an account, whatever it tries to sign in with (iam.md §3.4, §3.5). */
export async function countSignIn(plane: Plane, input: Pick<InputOf<SignIn>, 'organization' | 'tenantId' | 'email'>): Promise<void> {
  if ((input.organization === undefined) === (input.tenantId === undefined))
    throw refuse('INVALID_INPUT', 'give exactly one of organization and tenantId', { details: { path: 'organization' } });
  // by the tenant's id, so that its two names do not make two counts
  const tenant = input.organization === undefined ? undefined : await findTenantBySlug(plane.db, input.organization);
  const place = tenant?.id ?? input.tenantId ?? input.organization;
  await countAttempt(plane, `sign-in|${place}|${input.email.toLowerCase()}`, limits.signInsPerWindow);
}

export async function signIn(plane: Plane, input: InputOf<SignIn>, transport: Transport): Promise<OutputOf<SignIn>> {
  await countSignIn(plane, input);
  const account = await plane.db.one<Account>(accountBy, [input.organization ?? null, input.tenantId ?? null, input.email, plane.now()]);
  const isMatch = await passwordFits(account?.hash ?? undefined, input.password);
  if (!account?.identityId || account.hash === null || !account.isActive || !isMatch) {
    await recordFailure(plane, account, transport);
    throw wrong();
  }
  // said only to who knows the password
  if (!account.isTenantActive) throw refuse('TENANT_UNAVAILABLE', 'the organization, or one above it, is not active');
  const { tenantId, identityId, hash: passwordRecord } = account;
  const answer = await plane.db.transaction(async (tx) => {
    const entered = await enter(plane, tx, { tenantId, identityId, method: 'password', hasProvedFactor: false, passwordRecord }, transport);
    if (!entered) throw wrong();
    return entered;
  });
  tellSession(transport, answer);
  return answer;
}

export const failureTenant = async (tx: Tx): Promise<string | undefined> => (await findRoot(tx))?.id;

/** An unknown organization's failures go to the root's chain: the same work is done, and somebody sees them. */
async function recordFailure(plane: Plane, account: Account | undefined, transport: Transport): Promise<void> {
  await plane.db.transaction(async (tx) => {
    const tenantId = account?.tenantId ?? (await failureTenant(tx));
    if (tenantId === undefined) return;
    const resourceId = account?.identityId ?? tenantId;
    appendEvent(plane, tx, tenantId, nobody, {
      action: 'auth:signin:fail',
      resourceId,
      outcome: 'deny',
      metadata: clientOf(transport, { method: 'password' }),
    });
  });
}
