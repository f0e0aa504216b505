import { type ComputeClient, type ComputeTool, direct, type ToolEntry } from '@better-compute/client';
import type { ToolCaller } from './caller.ts';
import { systemClock } from './clock.ts';
import { defaultInstructions } from './instructions.ts';
import { type Message, RpcError, type RequestMessage, rpcCode } from './json-rpc.ts';
import { processLimiter } from './limiter.ts';
import { limits } from './limits.ts';
import { checkOptions, type McpOptions, spokenVersions } from './options.ts';
import type { Core } from './revisions/revision.ts';
import { checkNamedVersion, revisionFor } from './revisions/select.ts';
import { checkedCall, runCall } from './tools/call.ts';
import { offeredTools } from './tools/catalog.ts';
import { invokerOf } from './tools/invoke.ts';
import { listingOf } from './tools/listing.ts';
import type { CallToolResult } from './tools/result.ts';
import { accepted, notAllowed, rpcError } from './transport/answer.ts';
import { type Origin, RequestOrigin } from './transport/origin.ts';
import { receive, tooLarge } from './transport/receive.ts';

/** A message that a gate of this process has read, checked and decided on. */
export interface ArrivedMessage extends Origin {
  message: Message;
  /** As it came. */
  bodyBytes: number;
}

export type DirectHandler = (arrived: ArrivedMessage, caller: ToolCaller) => Promise<Response>;

export interface ComputeMcp {
  tools: ComputeTool[];
  /** The entries of `tools/list`. */
  listTools(): ToolEntry[];
  /** Streamable HTTP without streams: one JSON-RPC message in, one answer out. Never rejects. A gate in this process may hand over what it has read. */
  handler: ((request: Request, caller?: ToolCaller) => Promise<Response>) & { readonly [direct]: DirectHandler };
  /** Runs a tool with the `Authorization` of `request`. Rejects with code -32602 for an unknown tool; a refusal of compute is a result. */
  callTool(name: string, args: unknown, request: Request, caller?: ToolCaller): Promise<CallToolResult>;
}

export type ComputeMcpOptions = ({ baseURL: string; fetch?: (request: Request) => Promise<Response> } | { client: ComputeClient }) & McpOptions;

/** Tools over a control plane, each called as the caller (compute.md §11). Throws `INVALID_CONFIG` naming the option. */
export const createComputeMcp = (o: ComputeMcpOptions): ComputeMcp => serverOf(o, offeredTools(o));

/** The same over any tools: suites of others bring their own. */
export function serverOf(o: ComputeMcpOptions, tools: readonly ComputeTool[]): ComputeMcp {
  checkOptions(o);
  const core = coreOf(o, tools);
  const bodyBytesMax = o.maxBodyBytes ?? limits.bodyBytes;
  return {
    tools: [...core.calls.tools.values()],
    listTools: () => structuredClone([...core.listing.entries]),
    handler: Object.assign((request: Request, caller?: ToolCaller) => handle(core, bodyBytesMax, request, caller), {
      [direct]: async (arrived: ArrivedMessage, caller: ToolCaller) =>
        arrived.bodyBytes > bodyBytesMax ? tooLarge(bodyBytesMax) : await answer(core, arrived.message, arrived, caller),
    }),
    callTool: async (name, args, request, caller) => {
      checkedCall(core.calls, name, args);
      return (await runCall(core.calls, { name, args, origin: new RequestOrigin(request), caller })).result;
    },
  };
}

function coreOf(o: ComputeMcpOptions, tools: readonly ComputeTool[]): Core {
  const clock = o.clock ?? systemClock;
  return {
    calls: {
      tools: new Map(tools.map((tool) => [tool.entry.name, tool])),
      invokerFor: invokerOf(o),
      limiter: o.callLimiter ?? processLimiter(clock.monotonic),
      callsPerCaller: o.maxConcurrentCallsPerCaller ?? limits.callsPerCaller,
      confirmations: o.confirmations,
      maxWaitMs: o.maxWaitMs ?? limits.waitMs,
      approvalUrl: o.approvalUrl,
      clock,
    },
    listing: listingOf(tools),
    instructions: o.instructions ?? defaultInstructions,
    versions: spokenVersions(o.protocolVersions),
    stateSecret: o.stateSecret,
  };
}

async function handle(core: Core, bodyBytesMax: number, request: Request, caller: ToolCaller | undefined): Promise<Response> {
  if (request.method !== 'POST') return notAllowed();
  try {
    const message = await receive(request, bodyBytesMax);
    return message instanceof Response ? message : await answer(core, message, new RequestOrigin(request), caller);
  } catch {
    return internalError(null);
  }
}

async function answer(core: Core, message: Message, origin: Origin, caller: ToolCaller | undefined): Promise<Response> {
  try {
    if (message.id === undefined) {
      checkNamedVersion(origin.headers, core.versions);
      // nobody could be told the outcome, so a notification never runs anything
      return accepted();
    }
    const revision = revisionFor(message as RequestMessage, origin.headers, core.versions);
    return await revision.answer({ core, message: message as RequestMessage, origin, caller });
  } catch (error) {
    return error instanceof RpcError ? rpcError(error.status, error, message.id) : internalError(message.id);
  }
}

const internalError = (id: Message['id'] | null): Response =>
  rpcError(200, { code: rpcCode.internal, message: 'Something went wrong on our side.' }, id ?? null);
