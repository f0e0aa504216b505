import type { BetterIam } from '../better-iam.ts';

export interface Answered {
  status: number;
  headers: Headers;
  /** Of a refusal. */
  code?: string;
  error?: { code: string; message: string; retryAfterMs?: number; details?: Record<string, unknown> };
  data?: any;
}

/** One real request to IAM's routes, as a program sends it unless the headers say otherwise. */
export async function post(
  iam: BetterIam,
  path: string,
  token: string | undefined,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<Answered> {
  const sent = { 'content-type': 'application/json', 'x-better-iam': '1', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await iam.handler(new Request(`http://127.0.0.1:7070/api/iam/${path}`, { method: 'POST', headers: sent, body: text }));
  const { data, error } = (await response.json()) as Pick<Answered, 'data' | 'error'>;
  return { status: response.status, headers: response.headers, ...(error ? { code: error.code, error } : { data }) };
}
