import { type Operation, type ToolDefinition, toolsOf } from '@kit/operation';
import { byPool } from './capacity/by-pool.ts';
import { operations } from './operations.ts';

export interface ComputeTool extends ToolDefinition {
  /** The operation a call with these arguments runs: the tool's own, but for `capacity_summary` with a `poolId` [seed]. */
  callOf(args: Record<string, unknown>): { operation: Operation; input: Record<string, unknown> };
}

/** Every tool of the registry, in its order. */
export const tools: readonly ComputeTool[] = operations.flatMap((op) =>
  toolsOf(op).map((tool) => {
    const own: ComputeTool = { ...tool, callOf: (args) => ({ operation: tool.operation, input: tool.toInput(args) }) };
    return op.id === 'capacity.summary' ? withPool(own) : own;
  }),
);

/** One tool over two operations: the page names `capacity_summary` for both. */
function withPool(tool: ComputeTool): ComputeTool {
  const schema = tool.entry.outputSchema as { properties: Record<string, unknown> };
  return {
    ...tool,
    entry: { ...tool.entry, outputSchema: { ...schema, properties: { ...schema.properties, capacity: { type: 'object' } } } },
    callOf: (args) => (typeof args.poolId === 'string' ? { operation: byPool, input: { poolId: args.poolId } } : tool.callOf(args)),
  };
}

const VIA = 'better-compute-mcp/';

/** The `user-agent` of a call made by a tool: how the approver reads "requested through {tool}" (compute.md §3.4, Filing). */
export const userAgentOf = (tool: ComputeTool): string => VIA + tool.entry.name;

/** The tool a `user-agent` names; undefined for every other text. */
export const toolOfUserAgent = (userAgent: string | undefined): string | undefined =>
  userAgent?.startsWith(VIA) ? tools.find((tool) => userAgentOf(tool) === userAgent)?.entry.name : undefined;
