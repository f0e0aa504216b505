import type { InputOf, OutputOf } from '@kit/operation';
import type { AuditEvent } from '@better-iam/core';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import { deniedEvent } from '../audit/store.ts';
import { iamResource, type Transport } from '../call.ts';
import { authenticateCaller } from '../identified.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import type { Principal } from '../state/principal.ts';
import { decisionOf } from './access.ts';
import { extraKeysOf } from './extra.ts';
import { isAgent, isOwnQuestion } from './may-ask.ts';
import { resolve } from './resolve.ts';
import { findPresenter, findSubject } from './subject.ts';
import { recordMismatch, tenantOf } from './tenant-of.ts';
import { trace } from './trace.ts';

type Explain = OperationOf<'access.explain'>;
type Input = InputOf<Explain>;

interface Question {
  subject: Principal | undefined;
  action: string;
  ref: { type: string; id: string };
  recorded?: AuditEvent;
}

/** iam.md §12.6. Nothing is spent, filed or changed; that somebody asked about another without the right to is recorded like any denial. */
export async function explain(plane: Plane, token: string | undefined, input: Input, transport: Transport): Promise<OutputOf<Explain>> {
  const { requestId, clientIp } = transport;
  const caller = await authenticateCaller(plane, token, transport);
  if (isAgent(caller)) throw accessDenied();
  const tenantId = await tenantOf(plane.db, caller, input.tenantId);
  if (tenantId === undefined) {
    await plane.db.transaction(async (tx) => recordMismatch(plane, tx, caller, input.tenantId!, { action: 'access:explain', requestId }));
    throw accessDenied();
  }
  const question = await questionOf(plane, caller, tenantId, input);
  const isOwn = isOwnQuestion(caller, question?.subject);
  if (!isOwn && !(await mayReadAudit(plane, caller, tenantId, transport))) throw input.requestId === undefined ? accessDenied() : notFound();
  if (!question?.subject) throw notFound();
  const { subject, action, ref, recorded } = question;
  const resource = plane.catalog.actions.has(action) ? await resolve(plane, tenantId, ref) : undefined;
  const from = { tenantId, requestId, clientIp: subject === caller ? clientIp : undefined };
  const extraKeys = await extraKeysOf(plane, subject, from);
  const { remedy, ...traced } = trace({ plane, principal: subject, action, ref, resource, extraKeys, ...from });
  const { identity, agent, delegation } = subject;
  return {
    ...traced,
    ...(remedy === undefined ? {} : saying(remedy)),
    action,
    resource: { type: ref.type, id: ref.id },
    subject: {
      identityId: identity.id,
      name: identity.name,
      ...(agent ? { agentId: agent.id, agentName: agent.name } : {}),
      ...(delegation ? { delegationId: delegation.id } : {}),
    },
    ...(recorded ? { recorded: recordedOf(recorded), differs: traced.reason !== 'ACCESS_DENIED' } : {}),
  };
}

// oxlint-disable-next-line unicorn/no-thenable
const saying = (remedy: string): { then: string } => ({ then: remedy });

async function questionOf(plane: Plane, caller: Principal, tenantId: string, input: Input): Promise<Question | undefined> {
  const { action, resource, as, requestId } = input;
  const isRecorded = requestId !== undefined;
  const isStated = action !== undefined && resource !== undefined;
  if (isRecorded === isStated || (isRecorded && (as ?? action ?? resource) !== undefined))
    throw refuse('INVALID_INPUT', 'give action and resource, or the requestId of a recorded denial', { details: { path: 'action' } });
  if (requestId !== undefined) return await recordedQuestion(plane, caller, tenantId, requestId);
  const subject = as === undefined ? caller : await findSubject(plane, plane.db, { tenantId, now: caller.now }, as);
  return { subject, action: action!, ref: resource! };
}

/** What was asked then, by whom; with the very credential if it is still known. */
async function recordedQuestion(plane: Plane, caller: Principal, tenantId: string, requestId: string): Promise<Question | undefined> {
  const recorded = await deniedEvent(plane.db, tenantId, requestId);
  if (!recorded) return undefined;
  const { sessionId, delegationId } = recorded.sessionContext as { sessionId?: string; delegationId?: string };
  const where = { tenantId, now: caller.now };
  const as = delegationId === undefined ? { identityId: recorded.actorId } : { delegationId };
  const presenter = sessionId === undefined ? undefined : await findPresenter(plane, plane.db, where, sessionId);
  const subject = presenter ?? (await findSubject(plane, plane.db, where, as));
  const { resourceType } = recorded.metadata as { resourceType: string };
  return { subject, action: recorded.action, ref: { type: resourceType, id: recorded.resourceId }, recorded };
}

const recordedOf = ({ timestamp, metadata }: AuditEvent): { at: number; internalReason?: string } => {
  const { internalReason } = metadata as { internalReason?: string };
  return { at: timestamp, ...(internalReason === undefined ? {} : { internalReason }) };
};

async function mayReadAudit(plane: Plane, caller: Principal, tenantId: string, { requestId, clientIp }: Transport): Promise<boolean> {
  if (caller.hasRootOverride) return true;
  const extraKeys = await extraKeysOf(plane, caller, { tenantId, requestId, clientIp });
  const { allowed, internalReason } = decisionOf({ plane, principal: caller, tenantId, clientIp, extraKeys }, 'iam:audit:read', iamResource(tenantId));
  const metadata = { resourceType: 'iam', requestId, internalReason };
  if (!allowed)
    await plane.db.transaction(async (tx) =>
      appendEvent(plane, tx, tenantId, actorOf(caller), { action: 'iam:audit:read', resourceId: tenantId, outcome: 'deny', metadata }),
    );
  return allowed;
}
