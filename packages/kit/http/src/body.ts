import { ApiError, JsonError, readJson } from '@kit/operation';

const tooLarge = (bytesMax: number): ApiError => new ApiError('PAYLOAD_TOO_LARGE', 413, `the body is larger than ${bytesMax} bytes`);

/** Reads at most `bytesMax` bytes: a declared length is refused before anything is read, an undeclared one is counted. */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (!/^\d+$/.test(declared) || Number(declared) > bytesMax) throw tooLarge(bytesMax);
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > bytesMax) throw tooLarge(bytesMax);
    return bytes;
  }
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** One JSON object; an empty body counts as `{}` (iam.md §6). */
export function objectOf(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = readJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new ApiError('INVALID_REQUEST', 400, `the body cannot be read as JSON: ${error.message}`);
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError('INVALID_REQUEST', 400, 'the body must be one JSON object');
  return value as Record<string, unknown>;
}
