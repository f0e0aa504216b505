import { tenantId } from './tenant';
// from here on: the seed's sample, unchanged
import { createMcpGate } from '@better-iam/mcp';
import { createComputeMcp, gateTools, iamConfirmations } from 'better-compute/mcp';
import { iam } from './iam';
const mcp = createComputeMcp({
baseURL: 'https://compute.example.com',
// Optional: wait inside the tool call for the person to approve (see below).
confirmations: iamConfirmations(iam.api.delegations),
});
const gate = createMcpGate({ iam, tenantId, tools: gateTools(), unlisted: 'deny', confirmations: false });
export default {
fetch: (request: Request) => gate(request, (forwarded, caller) => mcp.handler(forwarded, caller)),
};
