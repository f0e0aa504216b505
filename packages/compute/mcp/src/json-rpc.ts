export type MessageId = string | number;

/** One JSON-RPC message, its shape checked. Without `id` it is a notification. */
export interface Message {
  method: string;
  id?: MessageId;
  params?: unknown;
}

export interface RequestMessage extends Message {
  id: MessageId;
}

export const rpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** A refusal of the protocol, not of a tool. `status` is HTTP's, 200 where JSON-RPC carries the error in band. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, o: { status?: number; data?: unknown } = {}) {
    super(message);
    this.code = code;
    this.status = o.status ?? 200;
    this.data = o.data;
  }
}

/** An object as JSON makes them; its members are read as own properties alone. */
export const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An own member, or undefined. */
export const memberOf = (value: unknown, name: string): unknown => (isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined);

/** `result` is JSON text already, so that what never changes is written once. */
export const resultText = (id: MessageId, result: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export const errorText = (id: MessageId | null, error: { code: number; message: string; data?: unknown }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) } });
