import { expect, test } from 'vitest';
import { IamError, iamErrors } from './errors.ts';

// Typed in apart from the source: clients branch on these.
const pinned = {
  401: 'UNAUTHENTICATED INVALID_CREDENTIALS INVALID_MFA INVALID_CHALLENGE SESSION_NETWORK_MISMATCH',
  403: 'ACCESS_DENIED CONFIRMATION_REQUIRED MFA_REQUIRED RECENT_AUTH_REQUIRED IMPERSONATION_RESTRICTED DELEGATION_INACTIVE DELEGATION_NOT_ALLOWED TENANT_INACTIVE TENANT_UNAVAILABLE RESOURCE_MISMATCH PROTECTED_RESOURCE GRANT_AUTHORITY_REQUIRED FEATURE_DISABLED CSRF_REJECTED UNTRUSTED_ORIGIN IP_NOT_ALLOWED IP_BLOCKED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT VERSION_CONFLICT RESOURCE_IN_USE LIMIT_EXCEEDED INVALID_TRANSITION DELEGATION_EXISTS DELEGATION_PENDING INVALID_IDENTITY INVALID_SPONSOR',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  400: 'INVALID_INPUT INVALID_POLICY INVALID_ACTION INVALID_RESOURCE_TYPE INVALID_REQUEST CREDENTIAL_CHAINING_DISABLED RESOURCE_RESOLVER_REQUIRED',
  500: 'INTERNAL_ERROR INVALID_CONFIG',
};

test('iam§7 every code has the status the contract gives it, and there is no other code', () => {
  const expected = Object.fromEntries(Object.entries(pinned).flatMap(([status, codes]) => codes.split(' ').map((code) => [code, { status: Number(status) }])));
  expect({ ...iamErrors }).toEqual(expected);
});

test('iam§7 an error carries code, status and what was handed in, and nothing it was not given', () => {
  const plain = new IamError('NOT_FOUND', 'no such thing');
  expect({ ...plain, message: plain.message }).toStrictEqual({ name: 'IamError', code: 'NOT_FOUND', status: 404, message: 'no such thing' });
  const limited = new IamError('RATE_LIMITED', 'slow down', { retryAfterMs: 1500, details: { reason: 'cool-down' } });
  expect(limited).toMatchObject({ status: 429, retryAfterMs: 1500, details: { reason: 'cool-down' } });
  expect(new IamError('INVALID_REQUEST', 'not JSON', { status: 415 }).status).toBe(415);
});
