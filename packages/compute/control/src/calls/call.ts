import { toolOfUserAgent } from '@better-compute/contract';
import type { CallContext } from '@kit/http';
import { actionOf, type Operation, parseWith } from '@kit/operation';
import type { Handler, OperationId } from '../handler.ts';
import { handlers } from '../handlers.ts';
import type { JsonValue } from '../iam-port.ts';
import { canonicalInput, digestOf } from './canonical.ts';

type AnyHandler = Handler<any>;

/** One parsed call. */
export interface Call {
  op: Operation;
  handler: AnyHandler;
  input: Record<string, any>;
  /** What two calls must share to be the same request. */
  canonical: JsonValue;
  digest: string;
  /** What is decided. */
  action: string;
  key: string | undefined;
  context: CallContext;
}

export function callOf(op: Operation, raw: Record<string, unknown>, context: CallContext): Call {
  const input = parseWith(op.input, raw) as Record<string, any>;
  const canonical = canonicalInput(input);
  const handler = handlers[op.id as OperationId] as AnyHandler;
  return { op, handler, input, canonical, digest: digestOf(op.id, canonical), action: actionOf(op, input)!, key: input.idempotencyKey, context };
}

/** Fixed words: what the approver reads of how it was asked (iam.md §17.1). */
export const reasonOf = ({ context }: Call): string => `requested through ${toolOfUserAgent(context.userAgent) ?? 'the API'}`;
