/** A refusal that crosses a service border: callers branch on `code` alone, people read `message`. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs?: number;
  readonly details?: Record<string, unknown>;

  constructor(code: string, status: number, message: string, o: { retryAfterMs?: number; details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, o.cause === undefined ? undefined : { cause: o.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    if (o.retryAfterMs !== undefined) this.retryAfterMs = o.retryAfterMs;
    if (o.details !== undefined) this.details = o.details;
  }
}

export interface ErrorShape {
  code: string;
  message: string;
  status: number;
  retryAfterMs?: number;
  details?: Record<string, unknown>;
}

/**
 * Recognises a refusal by its shape, not by its class: one may come from another copy of a package or from a client
 * (iam.md §8.4). Anything else is a fault of ours and answers undefined.
 */
export function refusalOf(error: unknown): ErrorShape | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const e = error as Partial<ErrorShape>;
  if (typeof e.code !== 'string' || typeof e.status !== 'number' || typeof e.message !== 'string') return undefined;
  return {
    code: e.code,
    message: e.message,
    status: e.status,
    ...(typeof e.retryAfterMs === 'number' ? { retryAfterMs: e.retryAfterMs } : {}),
    ...(e.details && typeof e.details === 'object' ? { details: e.details } : {}),
  };
}

const fault: ErrorShape = {
  code: 'INTERNAL_ERROR',
  message: 'Something went wrong on our side. Try again; if it stays, tell the operator the request id.',
  status: 500,
};

/** The envelope of iam.md §6. Details of a fault never leave the process, those of one we name ourselves neither: they belong in the log. */
export function errorBody(error: unknown): { status: number; body: { error: Omit<ErrorShape, 'status'> } } {
  const refusal = refusalOf(error);
  const { status, ...rest } = refusal === undefined || refusal.status === 500 ? fault : refusal;
  return { status, body: { error: rest } };
}
