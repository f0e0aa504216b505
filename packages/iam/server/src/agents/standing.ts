import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { standingOf } from '../state/identity.ts';
import { visibleAgent } from './visible.ts';

type Standing = OperationOf<'agents.standing'>;

export async function agentStanding(call: Call, input: InputOf<Standing>): Promise<OutputOf<Standing>> {
  return { standing: standingOf(await visibleAgent(call, input.agentId), call.now) };
}
