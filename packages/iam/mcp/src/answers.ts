import type { McpDecision } from './decide.ts';
import type { MessageId } from './message.ts';

/** JSON-RPC codes the gate answers with (iam.md §19.2). */
export const rpcCode = { parse: -32700, invalidRequest: -32600, invalidParams: -32602, internal: -32603, headerMismatch: -32020 } as const;

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function json(status: number, body: unknown, extra?: Record<string, string>): Response {
  return new Response(JSON.stringify(body), { status, headers: extra ? { ...HEADERS, ...extra } : HEADERS });
}

export function rpcError(status: number, code: number, message: string, id: MessageId | null = null): Response {
  return json(status, rpcErrorBody(code, message, id));
}

export const rpcErrorBody = (code: number, message: string, id: MessageId | null): unknown => ({ jsonrpc: '2.0', id, error: { code, message } });

/** 401 of iam.md §19.3. `isInvalid` tells a credential that did not hold from none at all. */
export function challenge(isInvalid: boolean, metadataUrl: string | undefined): Response {
  const parameters = [...(isInvalid ? ['error="invalid_token"'] : []), ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`])];
  return json(
    401,
    {
      error: 'unauthorized',
      error_description: isInvalid
        ? 'This credential is not valid here, or no longer. Get a new token and send it.'
        : 'Send Authorization: Bearer with a token.',
    },
    { 'www-authenticate': parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}` },
  );
}

/** IAM could not be asked: not a refusal of the caller, and never a pass. */
export function unavailable(retryAfterSeconds: number): Response {
  return json(
    503,
    { error: 'temporarily_unavailable', error_description: 'The caller cannot be checked at the moment. Try again after the time in Retry-After.' },
    { 'retry-after': String(retryAfterSeconds) },
  );
}

/** The gate's no, as a tool result that a model can read (iam.md §19.3). One text per code, whatever the cause. */
export function denied(id: MessageId, decision: McpDecision, isModern: boolean): Response {
  const error = errorOf(decision);
  return json(200, {
    jsonrpc: '2.0',
    id,
    result: {
      ...(isModern ? { resultType: 'complete' } : {}),
      content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
      structuredContent: { error },
      isError: true,
    },
  });
}

function errorOf({ reason, confirmation }: McpDecision): { code: string; message: string; details?: Record<string, unknown> } {
  if (reason === 'UNKNOWN_TOOL') return { code: 'UNKNOWN_TOOL', message: 'There is no such tool for you. Use one that tools/list names.' };
  if (reason !== 'CONFIRMATION_REQUESTED' || !confirmation)
    return {
      code: 'ACCESS_DENIED',
      message: 'You may not call this tool with these arguments. Take ids from the list tools; if they are right, ask whoever gave you access.',
    };
  const { id: confirmationId, expiresAt } = confirmation;
  return {
    code: 'CONFIRMATION_REQUIRED',
    message: 'A person must approve this call. Make the same call again once they have.',
    details: { confirmationId, ...(expiresAt === undefined ? {} : { expiresAt }) },
  };
}
