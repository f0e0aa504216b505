import type { Tx } from '@kit/store';
import { appendEvent, nobody } from '../audit/append.ts';
import { clientOf } from '../auth/enter.ts';
import type { Transport } from '../call.ts';
import type { Plane } from '../plane.ts';
import { Recorded } from '../recorded.ts';
import { refuse } from '../refuse.ts';

/** Wrong, used already, or of another time: one answer, and a record that stays. */
export function wrongCode(plane: Plane, tx: Tx, who: { tenantId: string; identityId: string }, transport: Transport): Recorded {
  appendEvent(plane, tx, who.tenantId, nobody, {
    action: 'auth:signin:fail',
    resourceId: who.identityId,
    outcome: 'deny',
    metadata: clientOf(transport, { method: 'totp' }),
  });
  return new Recorded(refuse('INVALID_MFA', 'the code is wrong, or has been used: each works once'));
}
