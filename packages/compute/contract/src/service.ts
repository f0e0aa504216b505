import { operationForm } from '@kit/operation';
import type { Action } from './actions.ts';
import type { Code } from './codes.ts';

/** `operation()` of this service: a code or an action it does not know does not compile. */
export const operation = operationForm<Code, Action>();
