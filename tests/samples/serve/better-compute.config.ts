import { iam, platformTenantId } from './deployment.ts';
export { iam } from './deployment.ts';
// from here on: the seed's sample, unchanged
import { createMcpGate } from '@better-iam/mcp';
import { defineHost } from 'better-compute/cli';
import { computeMcpEndpoint, gateTools } from 'better-compute/mcp';
export const host = defineHost(({ compute }) => ({
mcp: {
path: '/mcp', // the default
handler: computeMcpEndpoint({
compute,
gate: createMcpGate({ iam, tenantId: platformTenantId, tools: gateTools(), unlisted: 'deny', confirmations: false }),
delegations: iam.api.delegations,
}).handler,
},
}));
