import { contractLimits } from '@better-compute/contract';
import { answerData, answerError, isJson, objectOf, readBody, requestIdOf } from '@kit/http';
import { ApiError, parseWith, plainText, refusalOf } from '@kit/operation';
import { z } from 'zod';
import { StoreUnavailable } from '@kit/store';
import { refuse } from '../../refuse.ts';
import { JoinAttempts } from './join-attempts.ts';
import { limits } from './limits.ts';
import type { NodeStore } from './node-store.ts';
import { isPublicKey } from './public-key.ts';

const label = plainText(contractLimits.labelMax);

const JoinBody = z.strictObject({
  token: z.string().min(1).max(256),
  // a key that could not verify anything would be noticed only at the hello
  publicKey: z.string().refine(isPublicKey, 'must be the 32 bytes of an Ed25519 key in base64url'),
  name: z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/, 'must be 1 to 63 letters, digits, . _ or -, with a letter or digit at both ends'),
  labels: z
    .record(label, label)
    .refine((labels) => Object.keys(labels).length <= limits.labelsMax, `at most ${limits.labelsMax} labels`)
    .default({}),
});

export interface JoinOptions {
  store: Pick<NodeStore, 'join'>;
  now(): number;
  clientInfo(request: Request): { ip?: string };
  fault(error: unknown, requestId: string): void;
}

/** `POST /node/join {token, publicKey, name, labels}` → `{data: {nodeId}}` (compute.md §4.1). */
export function createJoin(o: JoinOptions): (request: Request) => Promise<Response> {
  const attempts = new JoinAttempts();

  async function join(request: Request): Promise<{ nodeId: string }> {
    if (request.method !== 'POST') throw refuse('METHOD_NOT_ALLOWED', 'join with POST');
    if (!isJson(request.headers.get('content-type'))) throw new ApiError('INVALID_REQUEST', 415, 'send content-type: application/json');
    const input = parseWith(JoinBody, objectOf(await readBody(request, limits.joinBodyBytesMax)));
    const address = o.clientInfo(request).ip ?? 'unknown';
    const retryAfterMs = attempts.begin(address, o.now());
    if (retryAfterMs !== undefined) throw refuse('RATE_LIMITED', 'too many joins failed from this address', undefined, retryAfterMs);
    const joined = await o.store.join(input);
    attempts.giveBack(address);
    return joined;
  }

  return async (request) => {
    const requestId = requestIdOf(request);
    try {
      return answerData(await join(request), requestId);
    } catch (error) {
      if (error instanceof StoreUnavailable)
        return answerError(refuse('UNAVAILABLE', 'the database does not answer', undefined, error.retryAfterMs), requestId);
      if (!refusalOf(error)) o.fault(error, requestId);
      return answerError(error, requestId);
    }
  };
}
