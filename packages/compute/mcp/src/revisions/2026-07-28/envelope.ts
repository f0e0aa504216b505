import type { HeaderReader } from '@better-compute/client';
import { isPlain, type Message, memberOf, type RequestMessage, RpcError, rpcCode } from '../../json-rpc.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const FIRST = '2026-07-28';

/** Whether the rules of 2026-07-28 and later apply: by the body's `_meta` or by the header, as at the gate (iam.md §19.2, step 10). */
export function isStateless(message: Message, headers: HeaderReader): boolean {
  if (memberOf(metaOf(message), VERSION) !== undefined) return true;
  const named = headers.get('mcp-protocol-version');
  return named !== null && /^\d{4}-\d{2}-\d{2}$/.test(named) && named >= FIRST;
}

const metaOf = (message: Message): unknown => memberOf(memberOf(message, 'params'), '_meta');

/** What every request says of its client. */
export interface Envelope {
  version: string;
  clientCapabilities: Record<string, unknown>;
}

/** Refuses an incomplete `_meta` (400 `-32602`), then headers that are missing or say something else (400 `-32020`). */
export function readEnvelope(message: RequestMessage, headers: HeaderReader): Envelope {
  const meta = metaOf(message);
  const version = memberOf(meta, VERSION);
  const clientCapabilities = memberOf(meta, CAPABILITIES);
  if (typeof version !== 'string') throw incomplete(VERSION);
  if (!isPlain(clientCapabilities)) throw incomplete(CAPABILITIES);
  if (headers.get('mcp-protocol-version') !== version) throw mismatch('MCP-Protocol-Version');
  if (headers.get('mcp-method') !== message.method) throw mismatch('Mcp-Method');
  if (message.method === 'tools/call') {
    const name = memberOf(message.params, 'name');
    if (typeof name !== 'string') throw new RpcError(rpcCode.invalidParams, 'params.name must be a string.');
    if (decoded(headers.get('mcp-name')) !== name) throw mismatch('Mcp-Name');
  }
  return { version, clientCapabilities };
}

const incomplete = (member: string): RpcError => new RpcError(rpcCode.invalidParams, `params._meta must have ${member}.`, { status: 400 });

const mismatch = (header: string): RpcError => new RpcError(rpcCode.headerMismatch, `The header ${header} must be there and equal the body.`, { status: 400 });

/** A value that is no plain field value travels as `=?base64?…?=`. Null: it is not there, or says so and is not. */
function decoded(value: string | null): string | null {
  const wrapped = value === null ? null : /^=\?base64\?(.*)\?=$/s.exec(value);
  if (!wrapped) return value;
  try {
    const bytes = Uint8Array.from(atob(wrapped[1] ?? ''), (unit) => unit.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
