import { limits } from './limits.ts';

/** IAM could not say yes or no: the caller is not signed in (any more), or IAM cannot be asked. */
export class IamFailure extends Error {
  override readonly name = 'IamFailure';
  readonly code: 'UNAUTHENTICATED' | 'IAM_UNAVAILABLE';
  readonly status: 401 | 503;
  readonly retryAfterSeconds: number;

  constructor(status: 401 | 503, o: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(status === 401 ? 'The credential is not valid.' : 'IAM cannot be reached.', { cause: o.cause });
    this.status = status;
    this.code = status === 401 ? 'UNAUTHENTICATED' : 'IAM_UNAVAILABLE';
    this.retryAfterSeconds = o.retryAfterMs === undefined ? limits.retryAfterSeconds : Math.max(1, Math.ceil(o.retryAfterMs / 1000));
  }
}

/**
 * Asks IAM. `undefined` is a refusal: whatever IAM says against the resource is the same plain denial, so that the gate
 * tells nobody what exists (iam.md §19.5). Throws {@link IamFailure}.
 *
 * Failures are told apart by `status` and `code`, since an instance, a client and a remote adapter throw different classes.
 */
export async function ask<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const { status, code, retryAfterMs } = facts(error);
    if (status === 401 || code === 'UNAUTHENTICATED') throw new IamFailure(401, { cause: error });
    // A limit reached says nothing about the resource: neither signed out nor denied.
    if (status !== undefined ? status >= 400 && status < 500 && status !== 408 && status !== 429 : refusals.has(code ?? '')) return undefined;
    throw new IamFailure(503, { ...(retryAfterMs === undefined ? {} : { retryAfterMs }), cause: error });
  }
}

const refusals = new Set(['NOT_FOUND', 'RESOURCE_MISMATCH', 'RESOURCE_RESOLVER_REQUIRED', 'ACCESS_DENIED', 'CONFIRMATION_REQUIRED', 'TENANT_INACTIVE']);

function facts(error: unknown): { status?: number; code?: string; retryAfterMs?: number } {
  if (typeof error !== 'object' || error === null) return {};
  const { status, code, retryAfterMs } = error as Record<string, unknown>;
  return {
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof retryAfterMs === 'number' && retryAfterMs > 0 ? { retryAfterMs } : {}),
  };
}
