import type { ComputeClient, ComputeTool, ToolEntry } from '@better-compute/client';
import type { ToolCaller } from './caller.ts';
import { systemClock } from './clock.ts';
import { defaultInstructions } from './instructions.ts';
import { type Message, RpcError, type RequestMessage, rpcCode } from './json-rpc.ts';
import { processLimiter } from './limiter.ts';
import { limits } from './limits.ts';
import { checkOptions, type McpOptions, spokenVersions } from './options.ts';
import type { Core } from './revisions/revision.ts';
import { revisionFor } from './revisions/select.ts';
import { checkedCall, runCall } from './tools/call.ts';
import { offeredTools } from './tools/catalog.ts';
import { invokerOf } from './tools/invoke.ts';
import { listingOf } from './tools/listing.ts';
import type { CallToolResult } from './tools/result.ts';
import { accepted, notAllowed, rpcError } from './transport/answer.ts';
import { receive } from './transport/receive.ts';

export interface ComputeMcp {
  tools: ComputeTool[];
  /** The entries of `tools/list`. */
  listTools(): ToolEntry[];
  /** Streamable HTTP without streams: one JSON-RPC message in, one answer out. Never rejects. */
  handler(request: Request, caller?: ToolCaller): Promise<Response>;
  /** Runs a tool with the `Authorization` of `request`. Rejects with code -32602 for an unknown tool; a refusal of compute is a result. */
  callTool(name: string, args: unknown, request: Request, caller?: ToolCaller): Promise<CallToolResult>;
}

export type ComputeMcpOptions = ({ baseURL: string; fetch?: (request: Request) => Promise<Response> } | { client: ComputeClient }) & McpOptions;

/** Tools over a control plane, each called as the caller (compute.md §11). Throws `INVALID_CONFIG` naming the option. */
export function createComputeMcp(o: ComputeMcpOptions): ComputeMcp {
  checkOptions(o);
  const core = coreOf(o);
  const bodyBytesMax = o.maxBodyBytes ?? limits.bodyBytes;
  return {
    tools: [...core.calls.tools.values()],
    listTools: () => structuredClone([...core.listing.entries]),
    handler: (request, caller) => handle(core, bodyBytesMax, request, caller),
    callTool: async (name, args, request, caller) => {
      checkedCall(core.calls, name, args);
      return (await runCall(core.calls, { name, args, request, caller })).result;
    },
  };
}

function coreOf(o: ComputeMcpOptions): Core {
  const tools = offeredTools(o);
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
  let message: Message | Response | undefined;
  try {
    message = await receive(request, bodyBytesMax);
    if (message instanceof Response) return message;
    // nobody could be told the outcome, so a notification never runs anything
    if (message.id === undefined) return accepted();
    const revision = revisionFor(message as RequestMessage, request.headers, core.versions);
    return await revision.answer({ core, message: message as RequestMessage, request, caller });
  } catch (error) {
    const id = message === undefined || message instanceof Response ? null : (message.id ?? null);
    if (error instanceof RpcError) return rpcError(error.status, error, id);
    return rpcError(200, { code: rpcCode.internal, message: 'Something went wrong on our side.' }, id);
  }
}
