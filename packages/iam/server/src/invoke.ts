import { auditOf, type Operation, parseWith } from '@kit/operation';
import type { Tx } from '@kit/store';
import type { IamOperationId } from '@better-iam/contract';
import type { JsonValue } from '@better-iam/core';
import { operationsById } from './operations-by-id.ts';
import { accessIn } from './access/access.ts';
import { extraKeysOf } from './access/extra.ts';
import { recordMismatch, tenantOf } from './access/tenant-of.ts';
import { countAttempt } from './attempts.ts';
import { type Call, iamResource, type Transport } from './call.ts';
import { identify } from './identified.ts';
import type { Plane } from './plane.ts';
import { Recorded, settle } from './recorded.ts';
import { accessDenied, refuse } from './refuse.ts';
import type { AnyHandler, Rule } from './rule.ts';
import { authenticate } from './state/authenticate.ts';
import { lockTenants, raiseGeneration } from './state/generation.ts';
import type { Principal } from './state/principal.ts';

/** The order of events of every call: parse → authenticate → tenant → lock → rights → handler and audit, in one transaction. */
export async function invoke(
  plane: Plane,
  op: Operation,
  handler: AnyHandler,
  token: string | undefined,
  untrusted: unknown,
  transport: Transport,
): Promise<unknown> {
  if ('isFree' in handler) await handler.admit?.(plane, token, untrusted, transport);
  const input = parseWith(op.input, untrusted) as { tenantId?: string };
  if ('isPublic' in handler) return await handler.run(plane, input, transport);
  if ('isFree' in handler) return await handler.run(plane, token, input, transport);
  const { rule } = handler;
  if (rule.perWindow !== undefined) await countCaller(plane, rule.countedAs ?? op.id, token, rule.perWindow);
  const outcome = await plane.db.transaction((tx) =>
    settle(async () => {
      const call = await open(plane, tx, op, rule, token, input.tenantId, transport);
      await checkRights(call, rule);
      const answer = await handler.run(call, input);
      if (rule.lock === 'change') await raiseGeneration(tx, call.tenantId);
      return answer;
    }),
  );
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.value;
}

async function countCaller(plane: Plane, countedAs: string, token: string | undefined, perWindow: number): Promise<void> {
  const caller = await authenticate(plane, plane.db, token);
  await countAttempt(plane, `${countedAs}|${caller.identity.id}`, perWindow);
}

async function open(
  plane: Plane,
  tx: Tx,
  op: Operation,
  rule: Rule,
  token: string | undefined,
  asked: string | undefined,
  transport: Transport,
): Promise<Call> {
  let principal = await authenticate(plane, tx, token, { isLocked: rule.lock === 'share' });
  const { requestId, clientIp } = transport;
  identify(transport, principal);
  const tenantId = rule.namesTenant ? principal.bearer.tenantId : await tenantOf(tx, principal, asked);
  if (tenantId === undefined) {
    recordMismatch(plane, tx, principal, asked!, { action: op.action ?? eventOf(op), requestId });
    throw new Recorded(accessDenied());
  }
  if (rule.lock === 'change') {
    await lockTenants(tx, await pathOf(tx, principal, tenantId), 'change');
    // what was read before the lock may have changed while waiting for it
    principal = await authenticate(plane, tx, token);
  }
  const extraKeys = plane.resolveContext && (await extraKeysOf(plane, principal, { tenantId, requestId, clientIp }));
  const access = accessIn(tx, { plane, principal, tenantId, requestId, clientIp, extraKeys });
  const audit: Call['audit'] = (action, resourceId, metadata) => access.audit({ action, resourceId, outcome: 'allow', metadata: { ...metadata, requestId } });
  return {
    plane,
    tx,
    op,
    principal,
    tenantId,
    access,
    now: principal.now,
    transport,
    audit,
    changed: changedBy(op, audit),
    async require(action, resource = iamResource(tenantId), refusal = accessDenied()) {
      const decision = await access.decide(action, resource);
      if (decision.reason === 'CONFIRMATION_REQUIRED') throw refuse('CONFIRMATION_REQUIRED', 'the delegation holds this back: ask the person to confirm it');
      if (!decision.allowed) throw new Recorded(refusal);
    },
  };
}

const changedBy =
  (op: Operation, audit: Call['audit']): Call['changed'] =>
  (resourceId, input) => {
    const { fields, present } = auditOf(op, input as Record<string, unknown>);
    return audit(eventOf(op), resourceId, { ...(fields as Record<string, JsonValue>), ...(present.length > 0 ? { present } : {}) });
  };

/** The same call in the shape of another operation, whose handler it is handed to as one part of what it does; recorded as that one's. */
export function asOperation(call: Call, id: IamOperationId): Call {
  const op: Operation = operationsById[id];
  return { ...call, op, changed: changedBy(op, call.audit) };
}

const eventOf = (op: Operation): string => `iam:${op.id.replace('.', ':')}`;

async function pathOf(tx: Tx, principal: Principal, tenantId: string): Promise<readonly string[]> {
  if (tenantId === principal.tenant.id) return principal.tenant.path;
  const row = await tx.one<{ path: string[] }>('select path from iam.tenants where id = $1', [tenantId]);
  return row?.path ?? [];
}

async function checkRights(call: Call, rule: Rule): Promise<void> {
  const { principal, op } = call;
  const { kind } = principal.bearer;
  // a temporary credential asking for a lasting one has a code of its own (iam.md §15.3)
  if (kind === 'delegated' && op.id === 'credentials.create') throw refuse('CREDENTIAL_CHAINING_DISABLED', 'a delegated session makes no credentials');
  if (!rule.kinds.includes(kind)) throw accessDenied();
  if (!rule.isOwner) return checkRecent(principal, rule);
  // asked first, so that what a ceiling forbids an owner is refused and recorded like any other denial
  if (!principal.hasRootOverride) await call.require(op.action!);
  if (!principal.isOwner && !principal.hasRootOverride) throw accessDenied();
  checkRecent(principal, rule);
}

function checkRecent(principal: Principal, rule: Rule): void {
  if (rule.isRecent && !principal.isRecent) throw refuse('RECENT_AUTH_REQUIRED', 'sign in again: this needs a sign-in of the last 5 minutes');
}
