import type { Call } from './target.ts';

const statuses = new Set([200, 202, 204, 400, 401, 403, 404, 405, 413, 415, 503]);

/** What must hold of every answer, or the sentence it breaks. */
export function broken(status: number, text: string, calls: readonly Call[], inFlight: number): string | undefined {
  if (!statuses.has(status)) return `status ${status}`;
  if (inFlight !== 0) return `${inFlight} places were not given back`;
  const body = parsed(text);
  if (text !== '' && body === undefined) return 'the answer is no JSON';
  if (text.includes('-32603') || text.includes('INTERNAL_ERROR')) return 'a fault of ours';
  const isRun = status === 200 && body?.result !== undefined && !isRefusal(body.result);
  if (calls.length > 0 && !isRun) return `compute was asked for a request that was refused (${status})`;
  for (const { authorization, input } of calls) {
    if (authorization !== 'Bearer tok_good') return `compute was asked as ${authorization}`;
    if (input.tenantId !== 'tnt_gate') return 'compute was asked in another tenant';
  }
  return undefined;
}

function parsed(text: string): Record<string, any> | undefined {
  try {
    return JSON.parse(text) as Record<string, any>;
  } catch {
    return undefined;
  }
}

/** Of the gate or of the arguments: nothing may have run. */
const isRefusal = (result: { isError?: boolean; structuredContent?: { error?: { code: string } } }): boolean =>
  result.isError === true && ['ACCESS_DENIED', 'UNKNOWN_TOOL', 'INVALID_INPUT'].includes(result.structuredContent?.error?.code ?? '');
