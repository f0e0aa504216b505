import type { DirectCall, HeaderReader } from '@kit/operation';
import { objectOf, objectOfText, readBody } from './body.ts';
import { pathnameOf } from './url.ts';

/** A call as it came, by the network or from within the process: all that is read of it. */
export interface Arrival {
  method: string;
  path: string;
  headers: HeaderReader;
  requestId: string;
  /** The one JSON object it carries. Rejects with the code of what is wrong. */
  input(bytesMax: number): Promise<Record<string, unknown>>;
  signal(): AbortSignal;
  /** Where there is one. */
  request?: Request;
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

export const requestIdOf = ({ headers }: { headers: HeaderReader }): string => {
  const given = headers.get('x-request-id');
  return given !== null && REQUEST_ID.test(given) ? given : crypto.randomUUID();
};

export const arrivalOf = (request: Request): Arrival => ({
  method: request.method,
  path: pathnameOf(request.url),
  headers: request.headers,
  requestId: requestIdOf(request),
  input: async (bytesMax) => objectOf(await readBody(request, bytesMax)),
  signal: () => request.signal,
  request,
});

export function directArrivalOf({ path, headers: given, body, signal }: DirectCall): Arrival {
  const headers: HeaderReader = { get: (name) => (Object.hasOwn(given, name) ? (given[name] ?? null) : null) };
  return {
    method: 'POST',
    path,
    headers,
    requestId: requestIdOf({ headers }),
    input: async (bytesMax) => objectOfText(body, bytesMax),
    signal: () => signal ?? new AbortController().signal,
  };
}
