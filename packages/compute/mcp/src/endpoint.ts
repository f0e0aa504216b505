import { direct, type Handler } from '@better-compute/client';
import { type Delegations, iamConfirmations } from './approval/confirmations.ts';
import type { ToolCaller } from './caller.ts';
import { invalidConfig } from './config-error.ts';
import type { CallLimiter } from './limiter.ts';
import type { McpOptions } from './options.ts';
import { createComputeMcp } from './server.ts';

/** Who may call at all; structural, so that `createMcpGate` of `@better-iam/mcp` fits without being imported (B9). */
export interface McpGate {
  (request: Request, next: (request: Request, caller: ToolCaller) => Response | Promise<Response>): Promise<Response>;
  readonly filesConfirmations?: boolean;
}

/** A control plane in the same process. */
export interface EmbeddedCompute {
  handler: Handler;
  /** Shared by the replicas; taken unless another is given. */
  callLimiter?: CallLimiter;
  /** Derived from the deployment's secret; taken unless another is given. */
  stateSecret?: string;
}

export type ComputeMcpEndpointOptions = { compute: EmbeddedCompute; gate: McpGate; delegations?: Delegations } & McpOptions;

/** Never dialled: requests go to `compute.handler` in process. */
const IN_PROCESS = 'http://compute.invalid';

/**
 * The gate first, then the tools, each calling `compute.handler` with the caller's own `Authorization` (B13 to B16). Without a gate anybody would be
 * served, so that is `INVALID_CONFIG`.
 */
export function computeMcpEndpoint(o: ComputeMcpEndpointOptions): { handler(request: Request): Promise<Response> } {
  const { compute, gate, delegations, ...options } = o;
  if (typeof gate !== 'function') throw invalidConfig('computeMcpEndpoint: gate is required, such as createMcpGate() of @better-iam/mcp');
  if (typeof compute?.handler !== 'function') throw invalidConfig('computeMcpEndpoint: compute must have a handler');
  if (delegations !== undefined && typeof delegations?.getConfirmation !== 'function')
    throw invalidConfig('computeMcpEndpoint: delegations must have getConfirmation()');
  if (gate.filesConfirmations === true)
    console.warn(
      'computeMcpEndpoint: this gate files confirmations itself, from arguments nobody has checked, and a person would be asked twice. Build it with confirmations: false.',
    );
  const callLimiter = options.callLimiter ?? compute.callLimiter;
  const stateSecret = options.stateSecret ?? compute.stateSecret;
  const confirmations = options.confirmations ?? (delegations && iamConfirmations(delegations));
  const mcp = createComputeMcp({
    ...options,
    baseURL: IN_PROCESS,
    fetch: handlerOf(compute),
    ...(callLimiter === undefined ? {} : { callLimiter }),
    ...(stateSecret === undefined ? {} : { stateSecret }),
    ...(confirmations === undefined ? {} : { confirmations }),
  });
  return { handler: (request) => gate(request, mcp.handler) };
}

/** Looks anew at each call, so that a handler put in its place is called too. */
const handlerOf = (compute: EmbeddedCompute): Handler =>
  Object.defineProperty((request: Request) => compute.handler(request), direct, { get: () => compute.handler[direct] });
