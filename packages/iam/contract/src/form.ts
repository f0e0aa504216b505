import { type Operation, operationForm } from '@kit/operation';
import type { IamAction, IamCode } from './codes.ts';

/** `operation()` of IAM: an unknown code or action does not compile. */
export const operation = operationForm<IamCode, IamAction>();

/** For a method that acts on the session alone and so takes no `tenantId`. */
export const withoutTenant = <Id extends string, In, Out, Code extends string>(
  op: Operation<Id, In, Out, Code>,
): Operation<Id, Omit<In, 'tenantId'>, Out, Code> =>
  Object.freeze({ ...op, input: op.input.omit({ tenantId: true }) }) as Operation<Id, Omit<In, 'tenantId'>, Out, Code>;

/** For a stream: what its client iterates over. */
export const streamOf =
  <Event>() =>
  <Id extends string, In, Code extends string>(op: Operation<Id, In, unknown, Code>): Operation<Id, In, AsyncIterable<Event>, Code> =>
    op as Operation<Id, In, AsyncIterable<Event>, Code>;
