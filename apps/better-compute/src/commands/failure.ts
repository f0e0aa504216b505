import { refusalOf } from '@kit/operation';
import { bad, faint, inert, type Terminal } from './terminal.ts';

const NEXT: Record<string, string> = {
  UNAUTHENTICATED: 'sign in: better-compute login --url URL',
  INVALID_CREDENTIALS: 'check the organization, the address and the password',
  ACCESS_DENIED: 'ask an owner of the organization; `better-compute iam sts get-caller-identity` says who you are',
  RECENT_AUTH_REQUIRED: 'prove who you are again: better-compute step-up',
  MFA_REQUIRED: 'prove the second factor: better-compute step-up',
  UNAVAILABLE: 'is the server running? better-compute doctor',
  RATE_LIMITED: 'wait and try again',
};

/** Prints a refusal and what to do next; with `--json` one object on stdout. Answers the exit code. */
export function reportFailure(terminal: Terminal, error: unknown, isJson: boolean): number {
  const refusal = refusalOf(error);
  if (!refusal) {
    terminal.err(bad(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    return 70;
  }
  const { status: _status, ...shown } = refusal;
  const key = (error as { idempotencyKey?: string }).idempotencyKey;
  if (isJson) terminal.out(JSON.stringify({ error: { ...shown, ...(key ? { idempotencyKey: key } : {}) } }));
  else {
    terminal.err(`${bad(refusal.code)}: ${inert(refusal.message)}`);
    const approvalUrl = refusal.details?.approvalUrl;
    const next =
      typeof approvalUrl === 'string'
        ? `a person approves at ${approvalUrl}; then run the same command${key ? ` with --idempotency-key ${key}` : ''}`
        : Object.hasOwn(NEXT, refusal.code)
          ? NEXT[refusal.code]
          : undefined;
    if (next) terminal.err(faint(next));
  }
  return refusal.code === 'INVALID_INPUT' || refusal.code === 'INVALID_CONFIG' ? 2 : 1;
}
