/** Reads at most `bytesMax` bytes, counting as they come: no declared length is believed. `broken`: the stream failed on the way. */
export async function readAtMost(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<Uint8Array | 'more' | 'broken'> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > bytesMax) {
        // The rest is of no interest, and neither is whether cancelling works.
        reader.cancel().catch(() => {});
        return 'more';
      }
      chunks.push(value);
    }
  } catch {
    return 'broken';
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** `application/json`, whatever its parameters. */
export const isJsonType = (contentType: string | null): boolean => contentType !== null && /^\s*application\/json\s*(;|$)/i.test(contentType);
