import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { managedRecord } from './store.ts';
import { visibleManaged } from './visible.ts';

type Get = OperationOf<'resources.get'>;

export const getResource = async (call: Call, input: InputOf<Get>): Promise<OutputOf<Get>> => managedRecord(await visibleManaged(call, input));
