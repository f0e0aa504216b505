import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { delegationRecord } from './store.ts';
import { visibleDelegation } from './visible.ts';

type Get = OperationOf<'delegations.get'>;

export async function getDelegation(call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> {
  const { row } = await visibleDelegation(call, input.delegationId);
  return delegationRecord(row, call.now);
}
