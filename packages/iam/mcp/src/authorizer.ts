import { admit } from './admit.ts';
import type { McpCaller } from './caller.ts';
import { decideCall, type McpDecision } from './decide.ts';
import { authorizerSettings, invalidConfig, type McpAuthorizerOptions } from './options.ts';
import { visibleTools } from './visible.ts';

/** The gate's decisions without its transport, for a host with a transport of its own (iam.md §8.3). */
export interface McpAuthorizer {
  /** undefined: no credential, or not a valid one. Throws (`status` 503) when IAM cannot be reached. */
  authenticate(request: Request): Promise<McpCaller | undefined>;
  /** Throws with `status` 401 when the credential ended meanwhile, 503 when IAM cannot be reached. */
  canCall(caller: McpCaller, name: string, args?: Record<string, unknown>): Promise<McpDecision>;
  /** Those of `tools` the caller may see, in their order. Throws like `canCall`. */
  visibleTools<T extends { name: string }>(caller: McpCaller, tools: T[]): Promise<T[]>;
}

export function createMcpAuthorizer(options: McpAuthorizerOptions): McpAuthorizer {
  const settings = authorizerSettings(options);
  if (settings.oauth && !settings.oauth.resource) throw invalidConfig('oauth.resource is required: it is the audience of access tokens');
  return {
    async authenticate(request) {
      const admission = await admit(settings, request.headers);
      return admission.kind === 'caller' ? admission.caller : undefined;
    },
    canCall: (caller, name, args = {}) => decideCall(settings, caller, name, args),
    visibleTools: (caller, tools) => visibleTools(settings, caller, tools),
  };
}
