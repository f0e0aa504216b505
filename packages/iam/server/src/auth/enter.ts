import type { Tx } from '@kit/store';
import type { JsonValue } from '@better-iam/core';
import type { Entrance, Session } from '@better-iam/contract';
import { appendEvent } from '../audit/append.ts';
import type { Transport } from '../call.ts';
import { newChallenge } from '../mfa/challenge.ts';
import type { Plane } from '../plane.ts';
import { openUserSession } from './open-session.ts';

/** Somebody about to have a session. */
export interface Entering {
  tenantId: string;
  identityId: string;
  /** How they came in, such as `password`. */
  method: string;
  /** The second factor was proved, now or in the session this one takes the place of. */
  hasProvedFactor: boolean;
  /** The record the password was found to fit: another one by now means that it was changed meanwhile. */
  passwordRecord?: string;
  /** The session that ends with this one's start. */
  replacesId?: string | null;
  /** More for the audit. */
  metadata?: Record<string, JsonValue>;
}

/**
 * What somebody gets who has proved the password, or a code in its place: a session, or a challenge where a second factor is due. A root administrator
 * without one enrols it first (iam.md §3.4). Undefined where the account is no longer active.
 */
export async function enter(plane: Plane, tx: Tx, who: Entering, transport: Transport): Promise<Entrance | undefined> {
  const account = await lockAccount(plane, tx, who);
  if (!account || (who.passwordRecord !== undefined && account.passwordRecord !== who.passwordRecord)) return undefined;
  if (!who.hasProvedFactor && (account.hasFactor || account.isRootAdmin)) {
    const challenge = await newChallenge(plane, tx, { tenantId: who.tenantId, identityId: who.identityId, replacesId: who.replacesId ?? null });
    return { mfaRequired: true, challenge, enrollmentRequired: !account.hasFactor };
  }
  return await openSession(plane, tx, who, transport);
}

interface Account {
  isRootAdmin: boolean;
  hasFactor: boolean;
  passwordRecord: string | null;
}

/** The tenant's generation is held: a change of the person meanwhile, such as being disabled, is seen here or waits for this. */
export async function lockAccount(plane: Plane, tx: Tx, who: Pick<Entering, 'tenantId' | 'identityId'>): Promise<Account | undefined> {
  await tx.rows('select 1 from iam.generations where tenant_id = $1 for share', [who.tenantId]);
  return await tx.one<Account>(
    `select i.root_admin as "isRootAdmin", coalesce(f.enrolled_at is not null, false) as "hasFactor", p.hash as "passwordRecord"
     from iam.identities i left join iam.factors f on f.identity_id = i.id left join iam.passwords p on p.identity_id = i.id
     where i.id = $1 and i.status = 'active' and (i.expires_at is null or i.expires_at > $2)`,
    [who.identityId, plane.now()],
  );
}

/** Opens it, ends the one it replaces, and records both as one. */
export async function openSession(plane: Plane, tx: Tx, who: Entering, transport: Transport): Promise<{ token: string; session: Session }> {
  const { tenantId, identityId, method, hasProvedFactor, replacesId } = who;
  if (replacesId != null) await tx.run('update iam.credentials set revoked_at = $2 where id = $1 and revoked_at is null', [replacesId, plane.now()]);
  const opened = await openUserSession(plane, tx, { tenantId, identityId, method, mfa: hasProvedFactor, userAgent: transport.userAgent });
  const actor = { id: identityId, sessionContext: { sessionId: opened.session.id, kind: 'user' } };
  appendEvent(plane, tx, tenantId, actor, {
    action: 'auth:session:create',
    resourceId: opened.session.id,
    outcome: 'allow',
    metadata: clientOf(transport, { method, mfa: hasProvedFactor, ...(replacesId == null ? {} : { replaces: replacesId }), ...who.metadata }),
  });
  return opened;
}

/** Tells a browser which session it now has. */
export function tellSession(transport: Transport, answer: Entrance): void {
  if (answer.token !== undefined && answer.session) transport.setSession({ token: answer.token, expiresAt: answer.session.expiresAt });
}

export const clientOf = (t: Transport, rest: Record<string, JsonValue>): Record<string, JsonValue> => ({
  ...rest,
  requestId: t.requestId,
  ...(t.clientIp === undefined ? {} : { ip: t.clientIp }),
  ...(t.userAgent === undefined ? {} : { userAgent: t.userAgent.slice(0, 256) }),
});
