/** Reads at most `bytesMax` bytes, counting as they come: a declared length is believed only when it is too large. `broken`: the stream failed. */
export async function readAtMost(request: Request, bytesMax: number): Promise<Uint8Array | 'more' | 'broken'> {
  const declared = request.headers.get('content-length');
  if (declared !== null && !(Number(declared) <= bytesMax)) return 'more';
  try {
    return request.body === null ? new Uint8Array() : await readStream(request.body, bytesMax);
  } catch {
    return 'broken';
  }
}

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
