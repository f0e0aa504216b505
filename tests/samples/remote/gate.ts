import { createMcpGate } from '@better-iam/mcp';
import { gateTools } from 'better-compute/mcp';
import { tenantId } from './tenant';
export { gate };
// from here on: the seed's sample, unchanged
import { createIamClient } from '@better-iam/client';
import type { BetterIam } from '@better-iam/server';
import { remoteMcpIam } from 'better-compute/mcp';
const gate = createMcpGate({
iam: remoteMcpIam(createIamClient({ baseURL: 'https://iam.example.com' })),
tenantId,
tools: gateTools(),
unlisted: 'deny',
confirmations: false,
});
