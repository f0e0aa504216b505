import type { Queryable } from '@kit/store';
import { findDeputyship, isDeputyOf } from '../deputies/store.ts';
import type { ConfirmationRow } from './store.ts';

/** By what right a person decides: their own, or a record that makes them the deputy. Undefined: by none. */
export async function approverOf(
  q: Queryable,
  row: ConfirmationRow | undefined,
  identityId: string,
  now: number,
): Promise<{ deputyId: string | null } | undefined> {
  if (!row) return undefined;
  if (row.subjectId === identityId) return { deputyId: null };
  const { subjectId: personId, delegationId } = row;
  const deputyship = await findDeputyship(q, { deputyId: identityId, personId, delegationId, now });
  return deputyship && { deputyId: deputyship.id };
}

/** Whether a person may see it: theirs, or of somebody whose deputy they are, and pending in that time (iam.md §17.7, §17.10). */
export async function seesConfirmation(q: Queryable, row: ConfirmationRow, identityId: string, now: number): Promise<boolean> {
  if (row.subjectId === identityId) return true;
  return (await q.one(`select from iam.confirmations c where c.id = $1 and ${isDeputyOf('$2', '$3')}`, [row.id, identityId, now])) !== undefined;
}
