import { refusalOf } from '@kit/operation';
import { createIamClient } from '@better-iam/client';
import type { Connection } from './context.ts';
import { faint, inert, strong, type Terminal } from './terminal.ts';

const POLL_MS = 2_000;

interface Held {
  confirmationId: string;
  summary: string;
  approvalUrl: string;
}

/** The held call a refusal tells of, or undefined when it is another refusal. */
export function heldOf(error: unknown): Held | undefined {
  const refusal = refusalOf(error);
  if (refusal?.code !== 'CONFIRMATION_REQUIRED') return undefined;
  const { confirmationId, summary, approvalUrl } = (refusal.details ?? {}) as Partial<Held>;
  return typeof confirmationId === 'string' ? { confirmationId, summary: summary ?? '', approvalUrl: approvalUrl ?? '' } : undefined;
}

/** Waits, visibly, until a person has decided. True = approved: the same call with the same key goes through now. */
export async function awaitApproval(terminal: Terminal, connection: Connection, held: Held, sleep: (ms: number) => Promise<void>): Promise<boolean> {
  terminal.err(`${strong('a person must approve:')} ${inert(held.summary)}`);
  terminal.err(faint(`waiting for ${held.approvalUrl}  (or: better-compute confirm approve ${held.confirmationId})`));
  const iam = createIamClient({ baseURL: connection.url, token: connection.token });
  for (;;) {
    const confirmation = await iam.delegations.getConfirmation({ confirmationId: held.confirmationId });
    if (confirmation.status === 'approved' || confirmation.status === 'used') return true;
    if (confirmation.status === 'rejected' || confirmation.expired) {
      terminal.err(confirmation.status === 'rejected' ? 'the person rejected it' : 'nobody decided in time');
      return false;
    }
    await sleep(POLL_MS);
  }
}
