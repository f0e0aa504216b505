import { auditOf, refusalOf } from '@kit/operation';
import { unawaited } from '@kit/store';
import { askBudgets, takeCharge } from '../budgets/admit.ts';
import type { EffectHandler } from '../handler.ts';
import type { JsonValue, PortDecision } from '../iam-port.ts';
import { limits } from '../limits.ts';
import type { Scope } from '../plane.ts';
import { notFound } from '../refuse.ts';
import type { Call } from './call.ts';
import { updateDraft } from './draft-store.ts';
import { hold, keepDraft } from './hold.ts';
import { writeKey } from './key-store.ts';
import { forget, type Memory, memoryKey, recall } from './memory.ts';
import type { Outcome } from './outcome.ts';
import { denialOf, mayRead, mayRepeat, refuseStranger } from './refusals.ts';
import { type Target, targetOf } from './target.ts';

type AnyEffect = EffectHandler<any, any>;

/** Key → resolve → decide → effect, in one transaction (compute.md §3.4). */
export async function act(scope: Scope, call: Call, early: Memory): Promise<Outcome> {
  const { op, handler, input } = call;
  if (op.on?.kind === 'rows') return { reply: await (handler as Function)(scope, input) };
  let memory = await recall(scope, call, early);
  if (memory.record?.objectId != null) return repeat(scope, call, memory.record.objectId, memory.record.detail ?? undefined);
  let target = await targetOf(scope, call, memory.draft);
  if (target.isOutdated && memory.draft) {
    memory = await forget(scope, call, memory, memory.draft);
    target = await targetOf(scope, call, undefined);
  }
  if (typeof handler !== 'function' && handler.isDone?.(target.row)) return done(scope, call, target, memory);
  const stranger = await refuseStranger(scope, call, target);
  if (stranger) return { refusal: stranger };
  const decision = await decide(scope, call, target, memory);
  if (decision.reason === 'CONFIRMATION_REQUIRED') {
    // nobody is asked to approve what could never happen
    const never = typeof handler === 'function' ? undefined : handler.impossible?.(scope, input as never, target as never);
    return never ? { refusal: never } : hold(scope, call, target, memory);
  }
  if (!decision.allowed) return { refusal: denialOf(scope, call, target) };
  return typeof handler === 'function' ? read(scope, call, target, memory) : effect(scope, call, target, memory, decision);
}

/** A draft whose approval was already spent is not asked about again; the permissions behind it are (iam.md §18 rules 11, 12). */
async function decide({ access }: Scope, { action }: Call, { resource }: Target, { draft }: Memory): Promise<PortDecision> {
  if (draft?.state === 'admitted') {
    const now = access.check(action, resource);
    if (now.allowed || now.reason === 'CONFIRMATION_REQUIRED') return { ...now, allowed: true, reason: 'ALLOWED' };
  }
  return access.decide(action, resource);
}

async function repeat(scope: Scope, call: Call, objectId: string, detail: JsonValue | undefined): Promise<Outcome> {
  // the first of this key may be in the very same transaction
  await scope.pool?.flush();
  const answer = await (call.handler as AnyEffect).answer(scope, objectId, detail);
  if (!answer || !mayRepeat(scope, call, answer.found)) return { refusal: notFound() };
  return { reply: answer.reply, objectId, detail };
}

/** Nothing to do: changes nothing, asks nobody. */
async function done(scope: Scope, call: Call, { about }: Target, memory: Memory): Promise<Outcome> {
  const { readAction, resource } = about;
  if (!mayRead(scope, about)) {
    await scope.access.audit({ action: readAction!, resourceId: resource.id, outcome: 'deny' });
    return { refusal: notFound() };
  }
  const objectId = (call.op.on as { id(input: unknown): string }).id(call.input);
  const answer = await (call.handler as AnyEffect).answer(scope, objectId, undefined);
  close(scope, call, memory, { objectId });
  return { reply: answer!.reply, objectId };
}

async function read(scope: Scope, call: Call, target: Target, memory: Memory): Promise<Outcome> {
  const reply = await (call.handler as Function)(scope, call.input, target.row);
  if (memory.draft) await updateDraft(scope.tx, memory.draft.id, 'closed', memory.draft.usableUntil);
  return { reply };
}

async function effect(scope: Scope, call: Call, target: Target, memory: Memory, decision: PortDecision): Promise<Outcome> {
  const { op, input } = call;
  try {
    const { charge } = target;
    if (charge) await askBudgets(scope, charge.payer, charge.amounts, memory.draft?.id);
    const { reply, objectId, detail } = await (call.handler as AnyEffect).run(scope, input, target);
    if (charge) await takeCharge(scope, objectId, charge.payer, charge.amounts, memory.draft?.id);
    const metadata = { ...auditOf(op, input), ...(decision.confirmationId === undefined ? {} : { confirmationId: decision.confirmationId }) };
    const entry = { action: call.action, resourceId: objectId, outcome: 'allow' as const, metadata: metadata as Record<string, JsonValue> };
    await scope.access.audit(entry);
    close(scope, call, memory, { objectId, detail });
    return { reply, objectId, detail };
  } catch (error) {
    if (!refusalOf(error)) throw error;
    await refused(scope, call, target, memory, decision);
    return { refusal: error };
  }
}

/** The approval stays spent and the request admitted until it would have lapsed; at most one object ever comes of it. */
async function refused(scope: Scope, call: Call, target: Target, memory: Memory, { confirmationId, lapsesAt }: PortDecision): Promise<void> {
  const { tx, pool, now } = scope;
  pool?.remember(memoryKey(memory, call));
  const usableUntil = lapsesAt ?? memory.draft?.usableUntil ?? now + limits.approvalSeconds * 1000;
  if (confirmationId !== undefined) await keepDraft(scope, call, target, memory, { state: 'admitted', usableUntil, confirmationId });
  else if (call.key !== undefined) writeKey(tx, memory.scope, call.key, { digest: call.digest, objectId: null, detail: null }, now);
}

/** The effect ends its draft, so that asking again is a new request, and a key leads to what came of it. */
function close({ tx, pool, now }: Scope, call: Call, memory: Memory, { objectId, detail }: { objectId: string; detail?: JsonValue | undefined }): void {
  if (call.key !== undefined) writeKey(tx, memory.scope, call.key, { digest: call.digest, objectId, detail: detail ?? null }, now);
  pool?.remember(memoryKey(memory, call));
  if (!memory.draft) return;
  unawaited(updateDraft(tx, memory.draft.id, 'closed', memory.draft.usableUntil));
}
