import { JsonError, readJson } from '@better-compute/client';
import { isPlain, type Message, type MessageId, rpcCode } from '../json-rpc.ts';
import { rpcError } from './answer.ts';
import { readAtMost } from './body.ts';

/** `application/json`, whatever its parameters. */
const isJsonType = (contentType: string | null): boolean => contentType !== null && /^\s*application\/json\s*(;|$)/i.test(contentType);

/** One message, or the refusal: the statuses and codes of B144 and B171, the same at gate and handler (iam.md §19.2). */
export async function receive(request: Request, bytesMax: number): Promise<Message | Response> {
  if (!isJsonType(request.headers.get('content-type'))) return rpcError(415, { code: rpcCode.parse, message: 'Send content-type: application/json.' });
  const bytes = await readAtMost(request, bytesMax);
  if (bytes === 'more') return tooLarge(bytesMax);
  if (bytes === 'broken') return rpcError(400, { code: rpcCode.parse, message: 'The body could not be read to its end.' });
  try {
    return shaped(readJson(bytes));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return rpcError(400, { code: error.reason === 'depth' ? rpcCode.invalidRequest : rpcCode.parse, message: error.message });
  }
}

export const tooLarge = (bytesMax: number): Response =>
  rpcError(413, { code: rpcCode.invalidRequest, message: `The body is larger than ${bytesMax} bytes. Send less at once.` });

function shaped(value: unknown): Message | Response {
  if (Array.isArray(value)) return invalid('Batches are not accepted. Send each message in a request of its own.', null);
  if (!isPlain(value)) return invalid('The message must be one JSON object.', null);
  const id = Object.hasOwn(value, 'id') ? value.id : undefined;
  if (id !== undefined && !isId(id)) return invalid('id must be a string, or a number of at most 2^53 - 1.', null);
  if (!Object.hasOwn(value, 'jsonrpc') || value.jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0".', id ?? null);
  if (!Object.hasOwn(value, 'method') || typeof value.method !== 'string') return invalid('method must be a string.', id ?? null);
  return value as unknown as Message;
}

/** What can be given back exactly: a whole number beyond 2^53 - 1 has been read as another one. */
const isId = (id: unknown): id is MessageId => typeof id === 'string' || (typeof id === 'number' && !(Number.isInteger(id) && !Number.isSafeInteger(id)));

const invalid = (message: string, id: MessageId | null): Response => rpcError(400, { code: rpcCode.invalidRequest, message }, id);
