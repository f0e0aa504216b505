import type { InputOf, OutputOf } from '@kit/operation';
import { activityPage } from '../audit/activity.ts';
import { type Call, iamResource } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { isSponsor, visibleAgent } from './visible.ts';

type ActivityOf = OperationOf<'agents.activity'>;

/** For the sponsor; anybody else reads the audit as well as agents. */
export async function agentActivity(call: Call, input: InputOf<ActivityOf>): Promise<OutputOf<ActivityOf>> {
  const row = await visibleAgent(call, input.agentId);
  if (!isSponsor(call, row)) await call.require('iam:audit:read', iamResource(call.tenantId), notFound());
  return await activityPage(call, { agentId: row.id }, input);
}
