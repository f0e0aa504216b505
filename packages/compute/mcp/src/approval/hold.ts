import { refusalOf } from '@better-compute/client';
import { type CallToolResult, resultOf } from '../tools/result.ts';

/** A held action: what the person is asked, and the key that finds it again. */
export interface Hold {
  confirmationId: string;
  idempotencyKey: string;
  summary?: string;
  approvalUrl?: string;
}

/** The hold in an error of compute, with compute's own description; undefined for any other error. */
export function holdOf(error: unknown, idempotencyKey: string, urlOf?: (confirmationId: string) => string): Hold | undefined {
  const refusal = refusalOf(error);
  if (refusal?.code !== 'CONFIRMATION_REQUIRED') return undefined;
  const { confirmationId, summary, approvalUrl } = refusal.details ?? {};
  if (typeof confirmationId !== 'string') return undefined;
  const url = urlOf?.(confirmationId) ?? approvalUrl;
  return {
    confirmationId,
    idempotencyKey,
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof url === 'string' ? { approvalUrl: url } : {}),
  };
}

/** The result every revision knows (B148). `isUnchecked`: whether the person has decided could not be read (B155). */
export const pendingResult = ({ confirmationId, idempotencyKey, approvalUrl }: Hold, isUnchecked = false): CallToolResult =>
  resultOf({
    status: 'confirmation-required',
    confirmationId,
    idempotencyKey,
    message: 'A person must approve this action. Once they have, call the tool again with the same idempotencyKey.',
    ...(isUnchecked ? { note: 'Whether they have could not be checked just now. Retry with the same idempotencyKey, never with a new one.' } : {}),
    ...(approvalUrl === undefined ? {} : { approvalUrl }),
  });

/** B153. */
export const endedResult = ({ confirmationId, idempotencyKey }: Hold, decision: 'denied' | 'expired'): CallToolResult =>
  resultOf({ status: `confirmation-${decision}`, confirmationId, idempotencyKey });
