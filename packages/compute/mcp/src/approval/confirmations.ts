import { readAuthorization } from '@better-compute/client';
import type { ToolCaller } from '../caller.ts';
import { limits } from '../limits.ts';

export type ConfirmationState = 'pending' | 'approved' | 'denied' | 'expired';

/** Looks at one caller's confirmations while a call waits. A state that cannot be read rejects. */
export interface ConfirmationReader {
  state(confirmationId: string): ConfirmationState | Promise<ConfirmationState>;
  /** Calls `changed` when a decision may have been taken; answers what stops it. Only a hint: polling goes on. */
  watch?(confirmationId: string, changed: () => void): () => void;
  /** How long a call waits for the person; default 25 s. */
  timeoutMs?: number;
  /** How often it looks; default 2 s. */
  intervalMs?: number;
}

/** Undefined: this caller cannot look, so a held action is answered at once (compute.md §11.1). */
export type Confirmations = (request: Request, caller?: ToolCaller) => ConfirmationReader | undefined;

/** Better IAM's delegations, embedded (`iam.api.delegations`) or a reader of the same shape over its client (B41). */
export interface Delegations {
  getConfirmation(credential: unknown, input: { tenantId: string; confirmationId: string }): Promise<unknown>;
  watch?(confirmationId: string, changed: () => void): () => void;
}

/**
 * Reads confirmations with the caller's own bearer token in the caller's tenant, so an agent sees its own requests only (B156). Without a bearer or a
 * tenant there is no reader (B158).
 */
export function iamConfirmations(delegations: Delegations, o: { timeoutMs?: number; intervalMs?: number; now?: () => number } = {}): Confirmations {
  const { timeoutMs = limits.approvalWaitMs, intervalMs = limits.approvalPollMs, now = Date.now } = o;
  return (request, caller) => {
    const credential = readAuthorization(request.headers);
    const tenantId = caller?.tenantId;
    if (credential.kind !== 'token' || tenantId === undefined) return undefined;
    const { token } = credential;
    return {
      timeoutMs,
      intervalMs,
      state: async (confirmationId) => stateOf(await delegations.getConfirmation({ token }, { tenantId, confirmationId }), now()),
      ...(delegations.watch === undefined ? {} : { watch: (id: string, changed: () => void) => delegations.watch!(id, changed) }),
    };
  };
}

/** The mapping of iam.md §17.7: usable only while `expiresAt` is ahead. */
function stateOf(record: unknown, now: number): ConfirmationState {
  const { status, expiresAt } = (record ?? {}) as { status?: unknown; expiresAt?: unknown };
  const isOver = typeof expiresAt === 'number' && expiresAt <= now;
  if (status === 'pending' || status === 'approved') return isOver ? 'expired' : status;
  if (status === 'rejected') return 'denied';
  // the draft already carries the outcome: the retry with its key finds it
  if (status === 'used') return 'approved';
  throw new TypeError('a confirmation of an unknown form');
}
