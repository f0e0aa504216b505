import type { Scope } from '../plane.ts';
import { conflict } from '../refuse.ts';
import type { Call } from './call.ts';
import { type CallerScope, callerScopeOf, lockCall } from './caller-scope.ts';
import { type DraftRow, readDraftByDigest, readDraftByKey, updateDraft } from './draft-store.ts';
import { type KeyRecord, readKey } from './key-store.ts';
import { mayBeHeld } from './target.ts';

/** What is remembered of this very request. */
export interface Memory {
  scope: CallerScope;
  /** An earlier use of the same key, with the same input. */
  record: KeyRecord | undefined;
  /** A held or admitted draft that may still be used. */
  draft: DraftRow | undefined;
}

/** Recalls by key, else by digest (compute.md §2.3, §3.4; iam.md §18 rules 2–6). Throws CONFLICT. */
export async function recall(scope: Scope, call: Call): Promise<Memory> {
  const { tx, access, now } = scope;
  const of = callerScopeOf(scope.tenantId, access.caller, call.op.id);
  const mayHold = mayBeHeld(scope);
  if (call.key === undefined && !mayHold) return { scope: of, record: undefined, draft: undefined };
  const [, record, draft] = await Promise.all([
    lockCall(tx, of, call.key ?? call.digest),
    call.key === undefined ? undefined : readKey(tx, of, call.key),
    mayHold ? (call.key === undefined ? readDraftByDigest(tx, of, call.digest) : readDraftByKey(tx, of, call.key)) : undefined,
  ]);
  if (record && record.digest !== call.digest) throw conflict('other-input', 'this idempotencyKey was used for another request: take a new key');
  if (!draft || draft.state === 'closed' || draft.usableUntil > now) return { scope: of, record, draft };
  if (call.key !== undefined && record?.objectId == null)
    throw conflict('expired-draft', 'the approval of this request can no longer be used: start over with a new key');
  await updateDraft(tx, draft.id, 'closed', draft.usableUntil);
  return { scope: of, record, draft: undefined };
}
