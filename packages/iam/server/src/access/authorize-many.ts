import type { InputOf, OutputOf } from '@kit/operation';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import type { Transport } from '../call.ts';
import { authenticateCaller } from '../identified.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { decisionOf } from './access.ts';
import { extraKeysOf } from './extra.ts';
import { resolve } from './resolve.ts';
import { recordMismatch, tenantOf } from './tenant-of.ts';

type AuthorizeMany = OperationOf<'authorizeMany'>;

/** A probe: nothing is spent or filed, and at most one event says how many were refused (iam.md §12.4, §12.5). */
export async function authorizeMany(
  plane: Plane,
  token: string | undefined,
  input: InputOf<AuthorizeMany>,
  transport: Transport,
): Promise<OutputOf<AuthorizeMany>> {
  const { requestId, clientIp } = transport;
  const principal = await authenticateCaller(plane, token, transport);
  const tenantId = await tenantOf(plane.db, principal, input.tenantId);
  const answer = (
    check: (typeof input.checks)[number],
    decision: { allowed: boolean; reason: 'ALLOWED' | 'ROOT_OVERRIDE' | 'CONFIRMATION_REQUIRED' | 'ACCESS_DENIED' },
  ) => ({
    action: check.action,
    resource: check.resource,
    allowed: decision.allowed,
    reason: decision.reason,
  });
  const denied = { allowed: false, reason: 'ACCESS_DENIED' as const };
  if (tenantId === undefined) {
    await plane.db.transaction(async (tx) => recordMismatch(plane, tx, principal, input.tenantId!, { action: 'authorize:many', requestId }));
    return { results: input.checks.map((check) => answer(check, denied)) };
  }
  const extraKeys = await extraKeysOf(plane, principal, { tenantId, requestId, clientIp });
  const results: OutputOf<AuthorizeMany>['results'] = [];
  const known = new Map<string, ReturnType<typeof resolve>>();
  // a list of tools asks about few things many times
  const resolveOnce = (ref: { type: string; id: string }): ReturnType<typeof resolve> => {
    const key = `${ref.type}/${ref.id}`;
    if (!known.has(key)) known.set(key, resolve(plane, tenantId, ref));
    return known.get(key)!;
  };
  for (const check of input.checks) {
    const resource = plane.catalog.actions.has(check.action) ? await resolveOnce(check.resource) : undefined;
    if (principal.hasRootOverride) results.push(answer(check, { allowed: true, reason: 'ROOT_OVERRIDE' }));
    else results.push(answer(check, resource ? decisionOf({ plane, principal, tenantId, clientIp, extraKeys }, check.action, resource) : denied));
  }
  const refused = results.filter((result) => !result.allowed);
  if (refused.length > 0 || principal.hasRootOverride)
    await plane.db.transaction(async (tx) =>
      appendEvent(
        plane,
        tx,
        tenantId,
        actorOf(principal),
        {
          action: 'authorize:many',
          resourceId: tenantId,
          outcome: refused.length > 0 ? 'deny' : 'allow',
          metadata: { refused: refused.length, actions: [...new Set(refused.map((result) => result.action))], requestId },
        },
        { rootOverride: principal.hasRootOverride },
      ),
    );
  return { results };
}
