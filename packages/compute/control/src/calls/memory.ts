import { type Queryable, together, type Tx } from '@kit/store';
import type { Access } from '../iam-port.ts';
import type { Scope } from '../plane.ts';
import { conflict } from '../refuse.ts';
import type { Call } from './call.ts';
import { type CallerScope, callerScopeOf, lockCalls } from './caller-scope.ts';
import { type DraftRow, readDraftByDigest, readDraftByKey, updateDraft } from './draft-store.ts';
import { type KeyRecord, readKeys } from './key-store.ts';
import { mayBeHeld } from './target.ts';

/** What is remembered of this very request. */
export interface Memory {
  scope: CallerScope;
  /** An earlier use of the same key, with the same input. */
  record: KeyRecord | undefined;
  /** A held or admitted draft. */
  draft: DraftRow | undefined;
}

export const nothingOf = (access: Access, call: Call): Memory => ({
  scope: callerScopeOf(access.tenantId, access.caller, call.op.id),
  record: undefined,
  draft: undefined,
});

/** Reads by key, else by digest, behind whoever makes the same request right now (compute.md §2.3). */
export async function readMemory(tx: Tx, access: Access, call: Call): Promise<Memory> {
  const isHeldBack = mayBeHeld(access);
  const nothing = nothingOf(access, call);
  if (call.key === undefined && !isHeldBack) return nothing;
  return await recallTogether(tx, { scope: nothing.scope, call, isHeldBack });
}

interface Question {
  scope: CallerScope;
  call: Call;
  isHeldBack: boolean;
}

const recallTogether = together(async (q, questions: readonly Question[]): Promise<Memory[]> => {
  const keyed = questions.filter(({ call }) => call.key !== undefined);
  // sent together, in this order
  const [, records, ...drafts] = await Promise.all([
    lockCalls(
      q,
      questions.map(({ scope, call }) => ({ scope, key: call.key ?? call.digest })),
    ),
    keyed.length === 0
      ? []
      : readKeys(
          q,
          keyed.map(({ scope, call }) => ({ scope, key: call.key! })),
        ),
    ...questions.map(({ scope, call, isHeldBack }) => (isHeldBack ? readDraft(q, scope, call) : undefined)),
  ]);
  return questions.map((question, i) => ({ scope: question.scope, record: records[keyed.indexOf(question)], draft: drafts[i] }));
});

const readDraft = (q: Queryable, scope: CallerScope, { key, digest }: Call): Promise<DraftRow | undefined> =>
  key === undefined ? readDraftByDigest(q, scope, digest) : readDraftByKey(q, scope, key);

/** What of it still holds (compute.md §2.3, §3.4; iam.md §18 rules 2–6). Throws CONFLICT. */
export async function recall(scope: Scope, call: Call, early: Memory): Promise<Memory> {
  const { tx, pool, access, now } = scope;
  // a call of the same batch may have had the same key: what was read before it acted is old
  const memory = pool?.isRemembered(memoryKey(early, call)) ? await readMemory(tx, access, call) : early;
  const { record, draft } = memory;
  if (record && record.digest !== call.digest) throw conflict('other-input', 'this idempotencyKey was used for another request: take a new key');
  if (!draft || draft.state === 'closed' || draft.usableUntil > now) return memory;
  return forget(scope, call, memory, draft);
}

/** Nothing can come of the draft any more. Without a key the same call is a new request; a key stays with what was asked under it. Throws CONFLICT. */
export async function forget({ tx }: Scope, call: Call, memory: Memory, draft: DraftRow): Promise<Memory> {
  if (call.key !== undefined && memory.record?.objectId == null)
    throw conflict('expired-draft', 'the approval of this request can no longer be used: start over with a new key');
  await updateDraft(tx, draft.id, 'closed', draft.usableUntil);
  return { ...memory, draft: undefined };
}

/** Under which later calls of the same transaction know that something was written. */
export const memoryKey = ({ scope }: Memory, call: Call): string => JSON.stringify([...scope, call.key ?? call.digest]);
