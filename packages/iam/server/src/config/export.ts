import type { OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { readState } from './state.ts';

type Export = OperationOf<'config.export'>;

export async function exportConfig(call: Call): Promise<OutputOf<Export>> {
  await call.require('iam:config:read');
  return { config: (await readState(call.tx, call.tenantId, call.now)).config };
}
