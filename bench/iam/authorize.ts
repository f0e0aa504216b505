import { ratePerSecond, type SideBySide, sideBySide } from '../callers.ts';
import { startDeployment } from '../deployment/deployment.ts';

const CALLERS = 32;
const TIMES = 4000;

/**
 * `iam.authorize` in delegated sessions beside a select by key through the same connections: on a record of IAM's own, which takes its store alone, and on
 * a pool, which compute resolves from the database as well.
 */
export async function authorizeBesideSelect(): Promise<{ own: SideBySide; pool: SideBySide }> {
  const { iam, database, tenantId, owner, addPool, close } = await startDeployment({ callers: 0 });
  try {
    await addPool('pool_bench', 0);
    const tokens = await Promise.all(Array.from({ length: CALLERS }, (_, n) => delegatedToken(n)));
    const authorize = (action: string, resource: { type: string; id: string }) => async (caller: number) => {
      const { allowed } = await iam.authorize({ token: tokens[caller]!, tenantId, action, resource });
      if (!allowed) throw new Error('what is measured must be an allow');
    };
    const select = (): Promise<unknown> => database.one('select id, name, kind from iam.identities where id = $1', [owner.id]);
    const beside = (work: (caller: number) => Promise<void>) =>
      sideBySide(
        5,
        () => ratePerSecond(CALLERS, TIMES, work),
        () => ratePerSecond(CALLERS, TIMES, select),
      );
    return {
      own: await beside(authorize('iam:audit:read', { type: 'iam', id: tenantId })),
      pool: await beside(authorize('compute:pools:read', { type: 'compute-pool', id: 'pool_bench' })),
    };
  } finally {
    await close();
  }

  async function delegatedToken(n: number): Promise<string> {
    const agent = await iam.api.agents.create(owner, { name: `agent-${n}`, sponsorId: owner.id });
    const { token } = await iam.api.credentials.create(owner, { identityId: agent.id, name: 'key' });
    const { id } = await iam.api.delegations.grant(owner, { agentId: agent.id, scopes: ['compute:*', 'iam:audit:read'], confirm: ['compute:reservations:*'] });
    return (await iam.api.delegations.assume({ token }, { delegationId: id })).token;
  }
}
