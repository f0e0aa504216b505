import { askBudgets, noteHold } from '../budgets/admit.ts';
import type { ResolvedResource } from '../iam-port.ts';
import { limits } from '../limits.ts';
import type { Scope } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { mintId } from '../ids.ts';
import { type Call, reasonOf } from './call.ts';
import { insertDraft, updateDraft } from './draft-store.ts';
import { writeKey } from './key-store.ts';
import { type Memory, memoryKey } from './memory.ts';
import type { Outcome } from './outcome.ts';
import type { Target } from './target.ts';

/**
 * Files the request with the caller's own credential, keeps the budgets for it, remembers it, and says where a person approves it (iam.md §18
 * rules 9, 10). Throws QUOTA_EXCEEDED: nobody is asked to approve what no budget has left.
 */
export async function hold(scope: Scope, call: Call, target: Target, memory: Memory): Promise<Outcome> {
  const { access, plane } = scope;
  const { resource, charge } = target;
  if (charge) await askBudgets(scope, charge.payer, charge.amounts, memory.draft?.id);
  const filed = await access.fileConfirmation({
    action: call.action,
    resource,
    reason: reasonOf(call),
    ...(call.input.note === undefined ? {} : { note: call.input.note }),
    validSeconds: limits.approvalSeconds,
  });
  await keepDraft(scope, call, target, memory, { state: 'held', usableUntil: filed.expiresAt + limits.approvalSeconds * 1000, confirmationId: filed.id });
  return {
    refusal: refuse('CONFIRMATION_REQUIRED', 'a person must approve this first; then make the same call again', {
      confirmationId: filed.id,
      expiresAt: filed.expiresAt,
      summary: filed.summary,
      approvalUrl: `${plane.publicUrl}/approvals/${filed.id}`,
    }),
  };
}

interface Kept {
  state: 'held' | 'admitted';
  usableUntil: number;
  confirmationId: string | null;
}

/** The draft row, in the state it has now, and the digest under its key. */
export async function keepDraft(scope: Scope, call: Call, target: Target, memory: Memory, kept: Kept): Promise<void> {
  const { tx, pool, now } = scope;
  pool?.remember(memoryKey(memory, call));
  const key = call.key ?? null;
  const id = memory.draft?.id ?? (target.isDraft ? target.resource.id : mintId('drf'));
  if (memory.draft) await updateDraft(tx, id, kept.state, kept.usableUntil, kept.confirmationId);
  else {
    const resource: ResolvedResource | null = target.isDraft ? target.resource : null;
    const charge = { charge: target.charge?.amounts ?? null, ownerId: target.charge?.payer.ownerId ?? null };
    await insertDraft(tx, memory.scope, key, { id, digest: call.digest, resource, frozen: target.frozen, ...charge, ...kept }, now);
  }
  if (target.charge) await noteHold(scope, id, target.charge.payer, target.charge.amounts);
  if (key !== null) writeKey(tx, memory.scope, key, { digest: call.digest, objectId: null, detail: null }, now);
}
