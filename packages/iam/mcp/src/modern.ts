import { rpcCode, rpcError } from './answers.ts';
import { isPlain, type Message, parameter } from './message.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const FIRST_MODERN = '2026-07-28';

/** Whether the rules of 2026-07-28 and later apply: by the body's `_meta` or by the header. */
export function isModernRequest(message: Message, headers: Headers): boolean {
  if (versionInBody(message) !== undefined) return true;
  const named = headers.get('mcp-protocol-version');
  return named !== null && /^\d{4}-\d{2}-\d{2}$/.test(named) && named >= FIRST_MODERN;
}

/**
 * Step 10 of iam.md §19.2: what proxies route by must be what the body says, or gate and handler see two calls. Only
 * requests are held to it; a `_meta` that is missing or incomplete is for the handler to refuse.
 */
export function headerMismatch(message: Message, headers: Headers): Response | undefined {
  const { id, method } = message;
  if (id === undefined) return undefined;
  const version = versionInBody(message);
  const named = headers.get('mcp-protocol-version');
  const refuse = (name: string) => rpcError(400, rpcCode.headerMismatch, `The header ${name} must be there and equal the body.`, id);
  if (named === null || (typeof version === 'string' && named !== version)) return refuse('MCP-Protocol-Version');
  if (headers.get('mcp-method') !== method) return refuse('Mcp-Method');
  if (method === 'tools/call' && decoded(headers.get('mcp-name')) !== (parameter(message, 'name') ?? null)) return refuse('Mcp-Name');
  return undefined;
}

function versionInBody(message: Message): unknown {
  const meta = parameter(message, '_meta');
  return isPlain(meta) && Object.hasOwn(meta, VERSION) ? meta[VERSION] : undefined;
}

/** A value that is no plain field value travels as `=?base64?…?=`. undefined: it says so and is not. */
function decoded(value: string | null): string | null | undefined {
  const wrapped = value === null ? null : /^=\?base64\?(.*)\?=$/s.exec(value);
  if (wrapped === null) return value;
  try {
    const bytes = Uint8Array.from(atob(wrapped[1] ?? ''), (unit) => unit.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
