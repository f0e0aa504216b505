import { decide, type World } from './world.ts';

export interface Helper {
  id: string;
  key: string;
  keyId: string;
}

export const READ = 'compute:pools:read';
export const CREATE = 'compute:reservations:create';

let names = 0;

/** Another agent of the organization, with a key. */
export async function helper({ iam, owner }: World, input: object = {}): Promise<Helper> {
  const { id } = await iam.api.agents.create(owner, { name: `helper-${++names}`, sponsorId: owner.id, ...input });
  const { token, credential } = await iam.api.credentials.create(owner, { identityId: id, name: 'key' });
  return { id, key: token, keyId: credential.id };
}

/** Alex lets the first agent hand on; gives one of its sessions. */
export async function withHandoff(world: World, handoff: object | null = { depth: 2 }, more: object = {}): Promise<{ delegationId: string; token: string }> {
  const { delegations } = world.iam.api;
  await delegations.revoke(world.alex, { delegationId: world.delegationId });
  const terms = { agentId: world.agent.id, scopes: ['compute:*'], confirm: [CREATE], ...(handoff && { handoff }), ...more };
  world.delegationId = (await delegations.grant(world.alex, terms)).id;
  return { delegationId: world.delegationId, token: await opened(world, world.agent.key, world.delegationId) };
}

export const opened = async ({ iam }: World, key: string, delegationId: string, input: object = {}): Promise<string> =>
  (await iam.api.delegations.assume({ token: key }, { delegationId, ...input })).token;

/** What a session is answered about a pool. */
export const may = async (world: World, token: string, action = READ): Promise<string> =>
  (await decide(world, token, { tenantId: world.tenantId, type: 'compute-pool', id: 'pool_a', attributes: {} }, action)).reason;

export const handOff = ({ iam }: World, token: string, agentId: string, input: object = {}) =>
  iam.api.delegations.handoff({ token }, { agentId, scopes: ['compute:*'], ...input });
