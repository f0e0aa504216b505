import type { Call } from '../call.ts';
import { findIdentity } from '../identities/store.ts';
import { refuse } from '../refuse.ts';

/** A sponsor is an active, unexpired person of the same tenant (iam.md §13). */
export async function checkSponsor(call: Call, sponsorId: string): Promise<void> {
  const sponsor = await findIdentity(call.tx, call.tenantId, sponsorId, call.now);
  const isFit = sponsor?.kind === 'user' && sponsor.status === 'active' && (sponsor.expiresAt === null || sponsor.expiresAt > call.now);
  if (!isFit) throw refuse('INVALID_SPONSOR', 'the sponsor must be an active person of the organization');
}
