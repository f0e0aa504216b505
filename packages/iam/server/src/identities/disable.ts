import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { changeStatus } from './change-status.ts';

type Disable = OperationOf<'identities.disable'>;

export const disableIdentity = (call: Call, input: InputOf<Disable>): Promise<OutputOf<Disable>> => changeStatus(call, input.identityId, 'disable');
