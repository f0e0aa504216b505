import type { InputOf, OutputOf } from '@kit/operation';
import { activityPage } from '../audit/activity.ts';
import { type Call, iamResource } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound } from '../refuse.ts';
import { visibleDelegation } from './visible.ts';

type ActivityOf = OperationOf<'delegations.activity'>;

/** For the person and the sponsor; anybody else reads the audit as well as delegations, and the agent neither (iam.md §4). */
export async function delegationActivity(call: Call, input: InputOf<ActivityOf>): Promise<OutputOf<ActivityOf>> {
  const { row, standing } = await visibleDelegation(call, input.delegationId);
  if (standing === 'agent' || standing === 'session') throw accessDenied();
  if (standing === 'reader') await call.require('iam:audit:read', iamResource(call.tenantId), notFound());
  return await activityPage(call, { delegationId: row.id }, input);
}
