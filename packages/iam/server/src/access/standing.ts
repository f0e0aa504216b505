import type { By } from '@better-iam/contract';
import { isGood } from '../state/authenticate.ts';
import { type DelegationLink, isKeyLive } from '../state/delegation.ts';
import { type IdentityState, isUsable, standingOf } from '../state/identity.ts';
import type { Principal } from '../state/principal.ts';

/** Why somebody cannot act at all now (iam.md §12.1 step 1, §15.2): the first of what stands behind the credential that does not hold. */
export interface Fallen {
  by: By;
  text: string;
}

const goneTexts = {
  credential: 'the token or session that named the delegation is no longer good',
  'gobare-session': 'the Gobare session it was opened in is not there any more',
};

const identityBy = ({ id, name, kind }: IdentityState): By => ({ kind: kind === 'agent' ? 'agent' : 'identity', id, name });

function fallenIdentity(identity: IdentityState, now: number): Fallen | undefined {
  if (isUsable(identity, now)) return undefined;
  const standing = identity.agent ? standingOf({ ...identity.agent, status: identity.status, expiresAt: identity.expiresAt }, now) : undefined;
  const why = standing ? `its standing is ${standing}` : identity.status === 'active' ? 'its time is over' : `it is ${identity.status}`;
  return { by: identityBy(identity), text: `${identity.name} cannot act: ${why}` };
}

function fallenLink(link: DelegationLink, agent: IdentityState, now: number): Fallen | undefined {
  const by: By = { kind: 'delegation', id: link.id };
  if (link.status !== 'active') return { by, text: `the delegation is ${link.status}` };
  if (link.expiresAt <= now) return { by, text: 'the time of the delegation is over' };
  if (!isKeyLive(link, now)) return { by: { kind: 'key', id: link.keyId! }, text: 'the key behind the hand-off is no longer good' };
  if (agent.agent?.delegable !== true) return { by: identityBy(agent), text: `nobody may delegate to ${agent.name}` };
  return fallenIdentity(agent, now);
}

export function fallenOf(p: Principal): Fallen | undefined {
  const { bearer, identity, delegation, gone, now } = p;
  if (gone) return { by: gone, text: goneTexts[gone.kind] };
  if (!isGood(bearer, now)) return { by: { kind: bearer.kind === 'api-key' ? 'key' : 'session', id: bearer.id }, text: 'the credential is no longer good' };
  const fallen = fallenIdentity(identity, now);
  if (fallen) return fallen;
  for (const [place, link] of (delegation?.links ?? []).entries()) {
    const found = fallenLink(link, delegation!.agents[place]!, now);
    if (found) return found;
  }
  return undefined;
}
