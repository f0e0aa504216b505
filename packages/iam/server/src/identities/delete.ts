import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { changeStatus } from './change-status.ts';

type Delete = OperationOf<'identities.delete'>;

export const deleteIdentity = (call: Call, input: InputOf<Delete>): Promise<OutputOf<Delete>> => changeStatus(call, input.identityId, 'delete');
