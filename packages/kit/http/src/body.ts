import { ApiError, JsonError, readJson, readJsonText } from '@kit/operation';

const tooLarge = (bytesMax: number): ApiError => new ApiError('PAYLOAD_TOO_LARGE', 413, `the body is larger than ${bytesMax} bytes`);

/** Reads at most `bytesMax` bytes, counting as they come: a declared length is believed only when it is too large. */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null && (!/^\d+$/.test(declared) || Number(declared) > bytesMax)) throw tooLarge(bytesMax);
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > bytesMax) {
      reader.cancel().catch(() => {});
      throw tooLarge(bytesMax);
    }
    chunks.push(read.value);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** The object in the body of a call from within the process: the same limits and the same reader. */
export function objectOfText(text: string, bytesMax: number): Record<string, unknown> {
  if (text.length > bytesMax || (text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax)) throw tooLarge(bytesMax);
  return text === '' ? {} : objectIn(() => readJsonText(text));
}

/** One JSON object; an empty body counts as `{}` (iam.md §6). */
export const objectOf = (bytes: Uint8Array): Record<string, unknown> => (bytes.length === 0 ? {} : objectIn(() => readJson(bytes)));

function objectIn(read: () => unknown): Record<string, unknown> {
  let value: unknown;
  try {
    value = read();
  } catch (error) {
    if (error instanceof JsonError) throw new ApiError('INVALID_REQUEST', 400, `the body cannot be read as JSON: ${error.message}`);
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError('INVALID_REQUEST', 400, 'the body must be one JSON object');
  return value as Record<string, unknown>;
}
