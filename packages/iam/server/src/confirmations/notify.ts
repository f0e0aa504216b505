import type { Tx } from '@kit/store';
import type { ConfirmationStatus } from '@better-iam/contract';

export const confirmationTopic = 'iam.confirmation';

export interface ConfirmationSignal {
  tenantId: string;
  subjectId: string;
  status: ConfirmationStatus;
}

/** Seen by every process after the commit: wakes whoever waits for the decision, and live inboxes. */
export function notify(tx: Tx, confirmationId: string, signal: ConfirmationSignal): void {
  void tx.publish({ topic: confirmationTopic, key: confirmationId, payload: signal });
}
