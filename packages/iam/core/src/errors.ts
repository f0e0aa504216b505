/**
 * Codes of `iam.md` §7 with their HTTP status; clients branch on `code` alone. `INVALID_CONFIG` is thrown while building or starting and never
 * reaches the wire; should it ever, it is our fault and so a 500.
 */
export const iamErrors = Object.freeze({
  UNAUTHENTICATED: { status: 401 },
  INVALID_CREDENTIALS: { status: 401 },
  INVALID_MFA: { status: 401 },
  INVALID_CHALLENGE: { status: 401 },
  SESSION_NETWORK_MISMATCH: { status: 401 },
  ACCESS_DENIED: { status: 403 },
  CONFIRMATION_REQUIRED: { status: 403 },
  MFA_REQUIRED: { status: 403 },
  RECENT_AUTH_REQUIRED: { status: 403 },
  IMPERSONATION_RESTRICTED: { status: 403 },
  DELEGATION_INACTIVE: { status: 403 },
  DELEGATION_NOT_ALLOWED: { status: 403 },
  TENANT_INACTIVE: { status: 403 },
  TENANT_UNAVAILABLE: { status: 403 },
  RESOURCE_MISMATCH: { status: 403 },
  PROTECTED_RESOURCE: { status: 403 },
  GRANT_AUTHORITY_REQUIRED: { status: 403 },
  FEATURE_DISABLED: { status: 403 },
  CSRF_REJECTED: { status: 403 },
  UNTRUSTED_ORIGIN: { status: 403 },
  IP_NOT_ALLOWED: { status: 403 },
  IP_BLOCKED: { status: 403 },
  NOT_FOUND: { status: 404 },
  METHOD_NOT_ALLOWED: { status: 405 },
  CONFLICT: { status: 409 },
  VERSION_CONFLICT: { status: 409 },
  RESOURCE_IN_USE: { status: 409 },
  LIMIT_EXCEEDED: { status: 409 },
  INVALID_TRANSITION: { status: 409 },
  DELEGATION_EXISTS: { status: 409 },
  DELEGATION_PENDING: { status: 409 },
  INVALID_IDENTITY: { status: 409 },
  INVALID_SPONSOR: { status: 409 },
  PAYLOAD_TOO_LARGE: { status: 413 },
  RATE_LIMITED: { status: 429 },
  INVALID_INPUT: { status: 400 },
  INVALID_POLICY: { status: 400 },
  INVALID_ACTION: { status: 400 },
  INVALID_RESOURCE_TYPE: { status: 400 },
  INVALID_REQUEST: { status: 400 },
  CREDENTIAL_CHAINING_DISABLED: { status: 400 },
  RESOURCE_RESOLVER_REQUIRED: { status: 400 },
  INTERNAL_ERROR: { status: 500 },
  INVALID_CONFIG: { status: 500 },
} as const satisfies Record<string, { readonly status: number }>);

export type IamErrorCode = keyof typeof iamErrors;

export interface IamErrorOptions {
  /** Only where §7 gives a code two statuses: `INVALID_REQUEST` is 415 for a bearer with another content type. */
  readonly status?: number;
  /** Time to the end of the window; required with `RATE_LIMITED`. */
  readonly retryAfterMs?: number;
  /** Small JSON; `path` names the offending member of the input. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** What IAM refuses with (`iam.md` §7). Recognise it by `code` and `status`, never by class (§8.4). */
export class IamError extends Error {
  override readonly name = 'IamError';
  readonly code: IamErrorCode;
  readonly status: number;
  // Declared only: a field would be there as undefined on every error.
  declare readonly retryAfterMs?: number;
  declare readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: IamErrorCode, message: string, options: IamErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? iamErrors[code].status;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.details !== undefined) this.details = options.details;
  }
}
