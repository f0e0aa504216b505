import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { agentRecord } from './store.ts';
import { visibleAgent } from './visible.ts';

type Get = OperationOf<'agents.get'>;

export async function getAgent(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  return agentRecord(await visibleAgent(call, input.agentId), call.now);
}
