import type { ReadHandler } from '../handler.ts';
import { type OpenDraft, readOpenDraft } from '../calls/draft-store.ts';
import type { Caller } from '../iam-port.ts';
import { notFound } from '../refuse.ts';
import { fitsNow } from '../reservations/fits-now.ts';
import { budgetsAfter } from './book.ts';

/** Read at this moment, shown as such, never part of what is approved (iam.md §17.8, 3). */
export const left: ReadHandler<'budgets.left'> = async (scope, { draftId }) => {
  const { tx, tenantId, access, now } = scope;
  const draft = await readOpenDraft(tx, tenantId, draftId, now);
  if (!draft || !isFor(draft, access.caller)) throw notFound();
  const { ownerId, delegationId, charge } = draft;
  const budgets = charge ? await budgetsAfter(scope, { ownerId: ownerId!, delegationId: delegationId || null }, charge, draft.id) : [];
  return { left: { at: now, budgets, fitsNow: await fitsNow(scope, draft) } };
};

/** The person it is put to, signed in; or the delegation it came through. */
const isFor = ({ subjectId, delegationId }: OpenDraft, caller: Caller): boolean =>
  caller.identityId === subjectId && (caller.sessionKind === 'user' || caller.delegationId === delegationId);
