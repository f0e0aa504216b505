import { computeService } from '@better-compute/client';
import { computeMcpEndpoint, gateTools } from '@better-compute/mcp';
import { createMcpGate, type McpIam } from '@better-iam/mcp';
import { createHandler, listen } from '@kit/http';
import { createLog } from '../../../apps/better-compute/src/host/log.ts';
import type { Serving } from '../served.ts';
import { pools } from './pools.ts';

/** Everything between the socket and the handlers of compute as it is, over an IAM and a compute that answer at once. */
export async function serveTransport(): Promise<Serving> {
  const log = createLog({ level: 'info', format: 'json' });
  const compute = createHandler({
    service: computeService,
    title: 'Bench',
    version: '1',
    invoke: async () => pools,
    access: (line) => log.info({ service: 'compute', ...line }, 'request'),
  });
  const gate = createMcpGate({ iam, tenantId: 'tnt_bench', tools: gateTools(), unlisted: 'deny', confirmations: false });
  const { handler } = computeMcpEndpoint({ compute: { handler: compute }, gate, maxConcurrentCallsPerCaller: 64 });
  const { port } = await listen({ host: '127.0.0.1', port: 0, fetch: handler });
  return { port, path: '/mcp', token: 'tok_bench', tool: 'list_pools' };
}

const iam: McpIam = {
  authenticate: async () => ({
    identity: { id: 'usr_bench', tenantId: 'tnt_bench', kind: 'user' },
    session: { id: 'ses_bench', tenantId: 'tnt_bench', kind: 'user' },
  }),
  authorize: async () => ({ allowed: true, reason: 'ALLOWED' }),
  authorizeMany: async ({ checks }) => ({ results: checks.map(() => ({ allowed: true })) }),
};
