import { createMcpGate } from '@better-iam/mcp';
import { computeMcpEndpoint, gateTools } from '@better-compute/mcp';
import { defineHost, type HostFactory } from '../host/mounts.ts';
import type { Options } from '../config/options.ts';

/** What `dev` mounts without a configuration file: `/mcp` in the demo organization, `/mcp/platform` in root (product.md §4). */
export const shippedHost = (o: { publicUrl: string; demoTenantId: string; options: Options }): HostFactory =>
  defineHost(({ compute, iam, platformTenantId }) => {
    const endpoint = (path: string, tenantId: string) => ({
      path,
      handler: computeMcpEndpoint({
        compute,
        gate: createMcpGate({
          iam,
          tenantId,
          tools: gateTools(),
          unlisted: 'deny',
          confirmations: false,
          metadata: { resource: `${o.publicUrl}${path}`, authorizationServers: [] },
          ...(o.options.allowedOrigins ? { allowedOrigins: o.options.allowedOrigins } : {}),
        }),
        delegations: iam.api.delegations,
        maxWaitMs: o.options.mcp.maxWaitMs,
        maxConcurrentCallsPerCaller: o.options.mcp.maxConcurrentCallsPerCaller,
        approvalUrl: (confirmationId) => `${o.publicUrl}/approvals/${confirmationId}`,
        ...(o.options.mcp.protocolVersions ? { protocolVersions: o.options.mcp.protocolVersions } : {}),
        ...(o.options.mcp.instructions === undefined ? {} : { instructions: o.options.mcp.instructions }),
      }).handler,
    });
    return { mcp: [endpoint('/mcp', o.demoTenantId), endpoint('/mcp/platform', platformTenantId)] };
  });
