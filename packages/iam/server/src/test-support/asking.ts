import { type BetterIam, betterIam, type BetterIamOptions } from '../index.ts';
import { type Answered, post } from './http.ts';
import { PASSWORD, type World } from './world.ts';

export const thing = { action: 'app:things:read', resource: { type: 'thing', id: 't1' } };

/** Real requests to a world's IAM, and ways to bring it where something is refused. */
export function asking(world: () => World) {
  const send = (path: string, token?: string, body?: unknown, headers?: Record<string, string>) => post(world().iam, path, token, body, headers);
  const owner = (path: string, body?: unknown) => send(path, world().owner.token, body);
  const alex = (path: string, body?: unknown) => send(path, world().alex.token, body);
  const agent = (path: string, body?: unknown) => send(path, world().agent.key, body);
  const role = async () => (await owner('roles/create', { name: `r-${Math.random()}`, permissions: ['compute:*'] })).data;
  const agentId = async () => (await owner('agents/create', { name: `a-${Math.random()}`, sponsorId: world().owner.id })).data.id as string;
  const grant = async (more: object = {}) => (await alex('delegations/grant', { agentId: await agentId(), scopes: ['compute:*'], ...more })).data.id as string;
  const signIn = (more: object = {}) => send('auth/signIn', undefined, { organization: 'acme', email: 'alex@acme.test', password: PASSWORD, ...more });

  /** The same deployment with another way to its resources. */
  async function withResolver(o: Pick<BetterIamOptions, 'resolveResource' | 'fault'>, ask: (iam: BetterIam) => Promise<Answered>): Promise<Answered> {
    const iam = betterIam({
      database: world().iam.store,
      secret: 'a secret of at least thirty-two characters',
      baseURL: 'http://127.0.0.1:7070',
      now: () => world().clock.now,
      permissions: { actions: ['app:things:read'], resourceTypes: { thing: {} } },
      ...o,
    });
    const answer = await ask(iam);
    await iam.close();
    return answer;
  }

  async function suspended(ask: () => Promise<Answered>): Promise<Answered> {
    const admin = { token: await world().signIn('platform', 'admin@platform.test') };
    await world().iam.api.tenants.setStatus(admin, { childId: world().tenantId, status: 'suspended' });
    const answer = await ask();
    await world().iam.api.tenants.setStatus(admin, { childId: world().tenantId, status: 'active' });
    return answer;
  }
  return {
    get world() {
      return world();
    },
    send,
    owner,
    alex,
    agent,
    role,
    agentId,
    grant,
    signIn,
    withResolver,
    suspended,
  };
}
export type Asking = ReturnType<typeof asking>;
