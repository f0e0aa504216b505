import { plainText } from '@kit/operation';
import { z } from 'zod';
import { Action, ResourceRef } from '../fields.ts';

/** What a caller is told of a decision (iam.md §12.2). */
export const DecisionReason = z.enum(['ALLOWED', 'ROOT_OVERRIDE', 'CONFIRMATION_REQUIRED', 'ACCESS_DENIED']);
export type DecisionReason = z.output<typeof DecisionReason>;

export const decision = {
  allowed: z.boolean(),
  reason: DecisionReason,
  matched: z.array(z.string()).meta({ description: 'Names of the statements that granted.' }),
};
export const Decision = z.object(decision);
export type Decision = z.output<typeof Decision>;

export const Check = z.strictObject({ action: Action, resource: ResourceRef });
export const CheckResult = z.object({
  action: z.string(),
  resource: z.object({ type: plainText(64), id: plainText(2048) }),
  allowed: z.boolean(),
  reason: DecisionReason,
});
export type CheckResult = z.output<typeof CheckResult>;
