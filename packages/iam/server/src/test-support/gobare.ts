import type { BetterIam } from '../index.ts';
import type { Helper } from './handing-on.ts';
import type { Person, World } from './world.ts';

export type Opened = Awaited<ReturnType<BetterIam['port']['openSession']>>;

/** Alex's delegation to an agent without any key, which a Gobare session may name. */
export interface Named {
  agentId: string;
  delegationId: string;
  /** Of alex. */
  pat: { id: string; token: string };
  gobareSessionId: string;
}

let names = 0;

export async function makePat({ iam }: World, of: Person, by: Person = of, input: object = {}): Promise<{ id: string; token: string }> {
  const terms = { identityId: of.id, kind: 'pat' as const, name: 'laptop', scopes: ['sessions:write'], expiresInSeconds: 7 * 86_400, ...input };
  const { credential, token } = await iam.api.credentials.create(by, terms);
  return { id: credential.id, token };
}

/** The Gobare session of that id is there, or is deleted. */
export const setGobareSession = (world: World, id: string, isThere: boolean): void =>
  world.put({ tenantId: isThere ? world.tenantId : 'tnt_nowhere', type: 'gobare-session', id, attributes: {} });

export async function named(world: World, terms: object = {}): Promise<Named> {
  const { agents, delegations } = world.iam.api;
  const { id: agentId } = await agents.create(world.owner, { name: `session-agent-${++names}`, sponsorId: world.owner.id });
  const { id } = await delegations.grant(world.alex, { agentId, scopes: ['compute:*'], usableInSessions: true, ...terms });
  const gobareSessionId = `gsn-${names}`;
  setGobareSession(world, gobareSessionId, true);
  return { agentId, delegationId: id, pat: await makePat(world, world.alex), gobareSessionId };
}

export const openNamed = (world: World, o: { delegationId: string; gobareSessionId: string }, namedBy: string): Promise<Opened> =>
  world.iam.store.transaction((tx) => world.iam.port.openSession(tx, { delegationId: o.delegationId, gobareSessionId: o.gobareSessionId, namedBy }));

export const sessionIdOf = async ({ iam }: World, { token }: { token: string }): Promise<string> => (await iam.api.sts.getCallerIdentity({ token })).sessionId;

/** What is handed on from a session to another agent. */
export const handOn = async ({ iam }: World, token: string, to: Helper): Promise<string> =>
  (await iam.api.delegations.handoff({ token }, { agentId: to.id, scopes: ['compute:*'] })).id;
