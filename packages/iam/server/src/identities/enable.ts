import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { changeStatus } from './change-status.ts';

type Enable = OperationOf<'identities.enable'>;

export const enableIdentity = (call: Call, input: InputOf<Enable>): Promise<OutputOf<Enable>> => changeStatus(call, input.identityId, 'enable');
