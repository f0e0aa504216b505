export { createMcpAuthorizer, type McpAuthorizer } from './authorizer.ts';
export type { McpCaller, McpIamCaller, McpOAuthCaller } from './caller.ts';
export type { McpDecision, McpReason } from './decide.ts';
export { createMcpGate, type McpGate, type McpNext } from './gate.ts';
export type { McpAuthenticated, McpCheck, McpDelegations, McpIam, McpIamDecision, ResourceRef } from './iam.ts';
export { type McpMetadata, protectedResourceMetadataUrl } from './metadata.ts';
export type { McpOAuth, McpVerifiedToken } from './oauth.ts';
export type { McpAuthorizerOptions, McpGateOptions, McpTenant } from './options.ts';
export type { McpToolRule } from './rule.ts';
