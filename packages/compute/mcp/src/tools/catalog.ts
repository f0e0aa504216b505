import { type ComputeTool, tools } from '@better-compute/client';
import { limits } from '../limits.ts';

export interface ToolOptions {
  execCommand?: boolean;
  fleet?: boolean;
}

/** The tools of the contract that a server with these options offers, in the contract's order (compute.md §11.4). */
export function offeredTools(o: ToolOptions): ComputeTool[] {
  return tools
    .filter((tool) => {
      const { option } = tool.spec;
      return option === undefined || o[option] === true;
    })
    .map(withOwnMembers);
}

/** A list without a `limit` argument is cut at 200 rows and says so. */
export const isCutList = (tool: ComputeTool): boolean => Object.hasOwn(propertiesOf(tool), 'items') && !Object.hasOwn(tool.arguments.shape, 'limit');

export const isAware = (tool: ComputeTool): boolean => tool.spec.onHold === 'result';

const propertiesOf = (tool: ComputeTool) => (tool.entry.outputSchema.properties ?? {}) as Record<string, unknown>;

/** Members this server adds to an answer belong into its schema too. */
function withOwnMembers(tool: ComputeTool): ComputeTool {
  const properties = {
    ...propertiesOf(tool),
    ...(isCutList(tool) ? { truncated: { type: 'boolean' } } : {}),
    ...(isAware(tool) ? { note: { type: 'string' } } : {}),
  };
  return { ...tool, entry: { ...tool.entry, outputSchema: { ...tool.entry.outputSchema, properties } } };
}

export function cutList(value: unknown): unknown {
  const { items, nextCursor } = value as { items?: unknown; nextCursor?: unknown };
  if (!Array.isArray(items) || (items.length <= limits.itemsMax && typeof nextCursor !== 'string')) return value;
  return { ...(value as object), items: items.slice(0, limits.itemsMax), truncated: true };
}
