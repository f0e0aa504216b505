/** Reads at most `bytesMax` bytes, counting as they come. `broken`: the stream failed on the way. */
export async function readAtMost(request: Request, bytesMax: number): Promise<Uint8Array | 'more' | 'broken'> {
  const declared = request.headers.get('content-length');
  if (declared !== null && !(Number(declared) <= bytesMax)) return 'more';
  try {
    // a declared length was held to by the HTTP server; asking for the whole spares a stream
    if (declared !== null) return fitting(new Uint8Array(await request.arrayBuffer()), bytesMax);
    return request.body === null ? new Uint8Array() : await readStream(request.body, bytesMax);
  } catch {
    return 'broken';
  }
}

const fitting = (bytes: Uint8Array, bytesMax: number): Uint8Array | 'more' => (bytes.byteLength > bytesMax ? 'more' : bytes);

async function readStream(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array | 'more'> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > bytesMax) {
      reader.cancel().catch(() => {});
      return 'more';
    }
    chunks.push(value);
  }
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
