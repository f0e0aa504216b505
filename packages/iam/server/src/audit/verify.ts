import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { walkChain } from './walk.ts';

type Verify = OperationOf<'audit.verify'>;

export async function verifyAudit(call: Call, input: InputOf<Verify>): Promise<OutputOf<Verify>> {
  await call.require('iam:audit:read');
  return await walkChain(call.tx, call.tenantId, input.afterSequence ?? 0, { page: limits.auditVerifyPage, eventsMax: limits.auditVerifyMax });
}
