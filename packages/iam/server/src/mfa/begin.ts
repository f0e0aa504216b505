import type { InputOf, OutputOf } from '@kit/operation';
import { base32 } from '@better-iam/core';
import { countAttempt } from '../attempts.ts';
import { lockAccount } from '../auth/enter.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { unauthenticated } from '../refuse.ts';
import { enrolling } from './enrolling.ts';
import { keepPending } from './store.ts';

type BeginMfa = OperationOf<'auth.beginMfa'>;

/** Shows a new secret; the factor of before stays in force until a code of the new one has been seen (iam.md §3.4). */
export async function beginMfa(plane: Plane, token: string | undefined, input: InputOf<BeginMfa>): Promise<OutputOf<BeginMfa>> {
  const { identityId } = await enrolling(plane, plane.db, token, input.challenge);
  await countAttempt(plane, `begin-mfa|${identityId}`, limits.signInsPerWindow);
  return await plane.db.transaction(async (tx) => {
    const who = await enrolling(plane, tx, token, input.challenge);
    if (!(await lockAccount(plane, tx, who))) throw unauthenticated();
    const secret = plane.newFactor();
    await keepPending(tx, who.identityId, plane.factorSeal.seal(who.identityId, secret), plane.now());
    const name = await tx.one<{ slug: string; email: string }>(
      'select t.slug, i.email from iam.identities i join iam.tenants t on t.id = i.tenant_id where i.id = $1',
      [who.identityId],
    );
    return { secret: base32(secret), uri: uriOf(new URL(plane.origin).host, `${name!.slug}/${name!.email}`, base32(secret)) };
  });
}

/** What authenticator apps read: issuer and account tell the person's entries apart. */
function uriOf(issuer: string, account: string, secret: string): string {
  const parameters = new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: '6', period: '30' });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${parameters.toString()}`;
}
