import type { InputOf, OutputOf } from '@kit/operation';
import { lintPolicy, parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';

type Validate = OperationOf<'policies.validate'>;

export async function validatePolicy(call: Call, input: InputOf<Validate>): Promise<OutputOf<Validate>> {
  return { valid: true, warnings: lintPolicy(parsePolicy(input.document, call.plane.catalog)) };
}
