import { JsonError, readJson } from '@kit/operation';
import { rpcCode, rpcError } from './answers.ts';
import { isJsonType, readAtMost } from './body.ts';

export type MessageId = string | number;

/** One JSON-RPC message, its shape checked. Without `id` it is a notification. */
export interface Message {
  method: string;
  id?: MessageId;
  params?: unknown;
}

/** Steps 6 to 9 of iam.md §19.2, and the shape of §19.4: the message, or the refusal. */
export async function readMessage(request: Request, bytesMax: number): Promise<{ message: Message; bodyBytes: number } | Response> {
  if (!isJsonType(request.headers.get('content-type'))) return rpcError(415, rpcCode.parse, 'Send content-type: application/json.');
  const declared = Number(request.headers.get('content-length') ?? 0);
  const bytes = declared > bytesMax ? 'more' : await readAtMost(request.body, bytesMax);
  if (bytes === 'more') return rpcError(413, rpcCode.invalidRequest, `The body is larger than ${bytesMax} bytes. Send less at once.`);
  if (bytes === 'broken') return rpcError(400, rpcCode.parse, 'The body could not be read to its end.');
  try {
    const message = shaped(readJson(bytes));
    return message instanceof Response ? message : { message, bodyBytes: bytes.byteLength };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return rpcError(400, error.reason === 'depth' ? rpcCode.invalidRequest : rpcCode.parse, error.message);
  }
}

function shaped(value: unknown): Message | Response {
  if (Array.isArray(value)) return invalid('Batches are not accepted. Send each message in a request of its own.', null);
  if (!isPlain(value)) return invalid('The message must be one JSON object.', null);
  const { jsonrpc, method } = value;
  const id = Object.hasOwn(value, 'id') ? value.id : undefined;
  if (id !== undefined && !isId(id)) return invalid('id must be a string, or a number of at most 2^53 - 1.', null);
  if (!Object.hasOwn(value, 'jsonrpc') || jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0".', id ?? null);
  if (!Object.hasOwn(value, 'method') || typeof method !== 'string') return invalid('method must be a string.', id ?? null);
  return value as unknown as Message;
}

/** What can be given back exactly: a whole number beyond 2^53 - 1 has been read as another one. */
const isId = (id: unknown): id is MessageId => typeof id === 'string' || (typeof id === 'number' && !(Number.isInteger(id) && !Number.isSafeInteger(id)));

const invalid = (message: string, id: MessageId | null): Response => rpcError(400, rpcCode.invalidRequest, message, id);

/** An object as JSON makes them; its members are read as own properties alone. */
export const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of the message's `params`, own property or nothing. */
export function parameter(message: Message, name: string): unknown {
  const { params } = message;
  return isPlain(params) && Object.hasOwn(params, name) ? params[name] : undefined;
}
