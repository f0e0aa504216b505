import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { waitingDevice } from './store.ts';

type GetDevice = OperationOf<'auth.getDevice'>;

export async function getDevice(call: Call, input: InputOf<GetDevice>): Promise<OutputOf<GetDevice>> {
  const { clientName, createdAt, expiresAt } = await waitingDevice(call.plane, call.tx, input.userCode);
  return { clientName, createdAt, expiresAt };
}
