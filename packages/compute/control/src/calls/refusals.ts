import type { Found } from '../handler.ts';
import type { PortDecision } from '../iam-port.ts';
import type { Scope } from '../plane.ts';
import { accessDenied, notFound } from '../refuse.ts';
import type { Call } from './call.ts';
import type { Target } from './target.ts';

/** A hold is tested last: whatever is only held is otherwise allowed. */
const isVisible = (decision: PortDecision): boolean => decision.allowed || decision.reason === 'CONFIRMATION_REQUIRED';

export const mayRead = ({ access }: Scope, { readAction, resource }: Found): boolean => readAction === null || isVisible(access.check(readAction, resource));

/** The caller may still do what came of this key, or see it. */
export const mayRepeat = (scope: Scope, { action }: Call, found: Found): boolean =>
  (found.readAction !== null && mayRead(scope, found)) || isVisible(scope.access.check(action, found.resource));

/** What one may not read is not there; what one may read but not change is denied (compute.md §2, Not yours). */
export const denialOf = (scope: Scope, { action }: Call, { about }: Target): Error =>
  action !== about.readAction && mayRead(scope, about) ? accessDenied() : notFound();

/** Operating a pool's nodes takes more than a policy: the pool must be one's own to operate (compute.md §3.1). Recorded like any denial. */
export async function refuseStranger(scope: Scope, call: Call, target: Target): Promise<Error | undefined> {
  if (!call.op.operatorOnly || target.resource.attributes.operator === true) return undefined;
  await scope.access.audit({ action: call.action, resourceId: target.resource.id, outcome: 'deny', metadata: { reason: 'not-operator' } });
  return mayRead(scope, target.about) ? accessDenied('your organization does not operate this pool') : notFound();
}
