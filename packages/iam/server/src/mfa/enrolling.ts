import type { Queryable } from '@kit/store';
import type { Plane } from '../plane.ts';
import { accessDenied, refuse } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import { type Challenge, findChallenge, invalidChallenge } from './challenge.ts';
import { hasFactor } from './store.ts';

/** Who enrols a second factor, and by what right. */
export interface Enrolling {
  tenantId: string;
  identityId: string;
  /** The session that ends when this opens another. */
  replacesId: string | null;
  challenge: Challenge | undefined;
}

/**
 * By the challenge of a sign-in that needs a factor and finds none, or by one's own recent session; whoever has a factor proves it before it is
 * replaced, so no challenge is ever a way around the one it asks for (iam.md §3.4).
 */
export async function enrolling(plane: Plane, q: Queryable, token: string | undefined, challengeSecret: string | undefined): Promise<Enrolling> {
  if (challengeSecret !== undefined) {
    const challenge = await findChallenge(plane, q, challengeSecret);
    if (await hasFactor(q, challenge.identityId)) throw invalidChallenge();
    return { ...challenge, challenge };
  }
  const { bearer, identity, isRecent } = await authenticate(plane, q, token);
  if (bearer.kind !== 'user') throw accessDenied();
  if (!isRecent) throw refuse('RECENT_AUTH_REQUIRED', 'sign in again: this needs a sign-in of the last 5 minutes');
  if (!bearer.mfa && (await hasFactor(q, identity.id))) throw refuse('MFA_REQUIRED', 'prove the second factor you have before you replace it');
  return { tenantId: identity.tenantId, identityId: identity.id, replacesId: bearer.id, challenge: undefined };
}
