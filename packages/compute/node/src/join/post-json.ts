import { limits } from '../limits.ts';
import { NodeRefusal } from '../refusal.ts';

// an import would read every export of node:http, its WebSocket too, which loads Node's whole fetch: 10 MB and 50 ms of an agent
const { request: httpRequest } = process.getBuiltinModule('node:http');
const { request: httpsRequest } = process.getBuiltinModule('node:https');

/**
 * Posts one JSON object and answers `data`. Throws the refusal of the other side, or `UNAVAILABLE` when it cannot be
 * reached or understood. Not with fetch, for the same reason.
 */
export async function postJson(url: URL, body: object): Promise<unknown> {
  const { status, text } = await post(url, JSON.stringify(body));
  const answer = parsed(text);
  if (status === 200 && answer && Object.hasOwn(answer, 'data')) return answer.data;
  const error = answer?.error as { code?: unknown; message?: unknown; retryAfterMs?: number; details?: Record<string, unknown> } | undefined;
  if (typeof error?.code !== 'string' || typeof error.message !== 'string')
    throw unavailable(`${url.origin} answered ${status} and nothing that is known here`);
  throw new NodeRefusal(error.code, status, error.message, { retryAfterMs: error.retryAfterMs, details: error.details });
}

const unavailable = (message: string): NodeRefusal => new NodeRefusal('UNAVAILABLE', 503, message);

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function post(url: URL, text: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      method: 'POST',
      timeout: limits.joinTimeoutMs,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    });
    request.on('timeout', () => request.destroy(unavailable(`${url.origin} did not answer in time`)));
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(error instanceof NodeRefusal ? error : unavailable(`${url.origin} cannot be reached (${error.code ?? error.name})`)),
    );
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > limits.answerBytesMax) request.destroy(unavailable(`${url.origin} answered too much`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    request.end(text);
  });
}
