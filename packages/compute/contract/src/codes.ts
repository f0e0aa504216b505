/** Status of every code the service answers (compute.md §2.1 and the common ones of iam.md §7). */
export const codes = {
  INVALID_INPUT: 400,
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  ACCESS_DENIED: 403,
  CONFIRMATION_REQUIRED: 403,
  CSRF_REJECTED: 403,
  UNTRUSTED_ORIGIN: 403,
  TENANT_INACTIVE: 403,
  DELEGATION_INACTIVE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  VERSION_CONFLICT: 409,
  NO_CAPACITY: 409,
  NEVER_FITS: 409,
  QUOTA_EXCEEDED: 409,
  INVALID_STATE: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  NODE_UNREACHABLE: 503,
  UNAVAILABLE: 503,
} as const;

export type Code = keyof typeof codes;

/** `details.reason` of a CONFLICT (compute.md §2.1). */
export type ConflictReason = 'other-input' | 'expired-draft' | 'plan-changed' | 'name-taken';

/** `details.reason` of an INVALID_STATE: a closed list (compute.md §2.1). */
export type InvalidStateReason =
  | 'batch-required'
  | 'batch-not-open'
  | 'no-approver-keys'
  | 'already-ended'
  | 'expired'
  | 'in-use'
  | 'kubernetes-not-configured'
  | 'no-capable-node'
  | 'node-offline'
  | 'not-ready'
  | 'not-running'
  | 'paused'
  | 'reservation-not-active'
  | 'unlimited-not-allowed'
  | 'volume-mounted';
