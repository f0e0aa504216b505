import { z } from 'zod';
import type { Operation, ToolGate, ToolSpec } from './operation.ts';

/** What `tools/list` says of a tool. Plain JSON Schema 2020-12 (compute.md §11.4). */
export interface ToolEntry {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

export interface ToolDefinition {
  operation: Operation;
  spec: ToolSpec<unknown>;
  entry: ToolEntry;
  /** Strict schema of the arguments, for checking before anything is called. */
  arguments: z.ZodObject;
  toInput: (args: Record<string, unknown>) => Record<string, unknown>;
  /** The operation's answer as this tool gives it. */
  toAnswer: (answer: unknown) => unknown;
  gate: ToolGate;
}

/** JSON Schema of a strict object without `$schema`, the form MCP clients take. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Record<string, unknown>;
  return rest;
}

/** The members a tool's answer may have; none is required, since errors carry structuredContent too. */
function outputSchemaOf(op: Operation, tool: ToolSpec<unknown>, args: z.ZodObject): Record<string, unknown> {
  const own = jsonSchemaOf(op.output, 'output').properties as Record<string, unknown>;
  const names = Object.keys(own);
  const properties: Record<string, unknown> = {};
  if (Object.hasOwn(args.shape, 'idempotencyKey')) properties.idempotencyKey = { type: 'string' };
  for (const name of names) properties[name] = { type: (own[name] as { type?: string }).type ?? 'object' };
  if (Object.hasOwn(properties, 'nextCursor')) properties.nextCursor = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  if (tool.onHold === 'result') for (const name of ['status', 'confirmationId', 'message', 'approvalUrl']) properties[name] = { type: 'string' };
  properties.error = { type: 'object' };
  return { type: 'object', properties };
}

/** Members of the input an agent never sees as arguments. */
const HIDDEN = ['tenantId', 'note', 'wait'];

/** The tools of an operation; none where it is not offered to agents. */
export const toolsOf = (op: Operation): ToolDefinition[] => op.tools.map((tool) => toolOf(op, tool));

function toolOf(op: Operation, tool: ToolSpec<unknown>): ToolDefinition {
  const own = op.input.shape;
  const hidden = tool.onHold === 'result' ? HIDDEN : [...HIDDEN, 'idempotencyKey'];
  const args = tool.arguments ?? z.strictObject(Object.fromEntries(Object.entries(own).filter(([name]) => !hidden.includes(name))));
  return {
    operation: op,
    spec: tool,
    arguments: args,
    toInput: (tool.toInput as ((a: unknown) => Record<string, unknown>) | undefined) ?? ((a) => a),
    toAnswer: (tool.toAnswer as ((a: unknown) => unknown) | undefined) ?? ((a) => a),
    gate: tool.gate,
    entry: {
      name: tool.name,
      description: tool.description ?? op.summary,
      inputSchema: jsonSchemaOf(args, 'input'),
      outputSchema: outputSchemaOf(op, tool, args),
      annotations: { readOnlyHint: tool.hints.readOnly, destructiveHint: tool.hints.destructive, idempotentHint: tool.hints.idempotent, openWorldHint: false },
    },
  };
}
