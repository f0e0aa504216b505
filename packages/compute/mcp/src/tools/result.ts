import { refusalOf } from '@better-compute/client';
import { isPlain } from '../json-rpc.ts';

/** What `tools/call` answers. */
export interface CallToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
}

export interface ToolError {
  code: string;
  message: string;
  retryAfterMs?: number;
  details?: Record<string, unknown>;
}

const INTERNAL: ToolError = { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side. Try again; if it stays, tell the operator.' };

/** Codes the client makes up itself: no answer of compute stands behind them (iam.md §8.4). */
const local: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'HTTP_ERROR', 'INVALID_RESPONSE', 'INVALID_PATH', 'INVALID_TOKEN', 'INVALID_CONFIG']);

/** The answer twice: as text and as an object, other values wrapped (B140). The key comes first, where the call has one. */
export function succeeded(value: unknown, key: string | undefined): CallToolResult {
  const structured = isPlain(value) ? value : { result: value ?? null };
  return resultOf(key === undefined ? structured : { idempotencyKey: key, ...structured });
}

export const resultOf = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }],
  structuredContent,
});

/** A refusal of compute keeps its code, message, time and details; any other failure says nothing of its cause (B142, B143). */
export function failed(error: unknown, key?: string): CallToolResult {
  const refusal = refusalOf(error);
  // a refusal with a cause is the client's own: compute was not reached
  const isTold = refusal !== undefined && !local.has(refusal.code) && (error as { cause?: unknown }).cause === undefined;
  return failure(isTold ? told(refusal) : INTERNAL, key);
}

const told = ({ code, message, retryAfterMs, details }: ToolError): ToolError => ({
  code,
  message,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  ...(details === undefined ? {} : { details }),
});

export const failure = (error: ToolError, key?: string): CallToolResult => ({
  content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
  structuredContent: { ...(key === undefined ? {} : { idempotencyKey: key }), error },
  isError: true,
});
