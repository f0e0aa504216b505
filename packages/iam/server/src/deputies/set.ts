import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { findDelegation } from '../delegations/store.ts';
import { findIdentity } from '../identities/store.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { countOpenDeputies, deputyRecord, findDeputy, insertDeputy } from './store.ts';

type Set = OperationOf<'delegations.setDeputy'>;

/** For oneself alone: nobody names a deputy for somebody else (iam.md §17.10). */
export async function setDeputy(call: Call, input: InputOf<Set>): Promise<OutputOf<Set>> {
  const { plane, tx, tenantId, now, principal } = call;
  const personId = principal.identity.id;
  if (tenantId !== principal.identity.tenantId) throw accessDenied();
  const startsAt = input.startsAt ?? now;
  checkWindow(startsAt, input.endsAt, now);
  if (input.deputyId === personId) throw refuse('INVALID_INPUT', 'the deputy must be another person', { details: { path: 'deputyId' } });
  const deputy = await findIdentity(tx, tenantId, input.deputyId, now);
  if (!deputy || deputy.status === 'deleted') throw notFound();
  if (deputy.kind !== 'user' || deputy.status !== 'active' || (deputy.expiresAt !== null && deputy.expiresAt <= now))
    throw refuse('INVALID_IDENTITY', 'the deputy must be an active person');
  for (const id of input.delegationIds ?? []) if ((await findDelegation(tx, tenantId, id))?.subjectId !== personId) throw notFound();
  if ((await countOpenDeputies(tx, personId, now)) >= limits.deputiesAtOnce)
    throw refuse('LIMIT_EXCEEDED', `a person has at most ${limits.deputiesAtOnce} deputies at once: end one first`);
  const delegationIds = input.delegationIds ? [...new Set(input.delegationIds)] : null;
  const id = plane.newId('dep_');
  await insertDeputy(tx, { id, tenantId, personId, deputyId: deputy.id, delegationIds, startsAt, endsAt: input.endsAt, createdAt: now });
  const { endsAt } = input;
  await call.audit('delegation:deputy-set', id, { deputyId: deputy.id, subjectId: personId, startsAt, endsAt, delegationIds: delegationIds ?? 'all' });
  return deputyRecord((await findDeputy(tx, tenantId, id))!, now);
}

function checkWindow(startsAt: number, endsAt: number, now: number): void {
  const invalid = (message: string) => refuse('INVALID_INPUT', message, { details: { path: 'endsAt' } });
  if (endsAt <= startsAt || endsAt <= now) throw invalid('endsAt must be after startsAt and still to come');
  if (endsAt > now + limits.deputyAheadMs) throw invalid('endsAt must be at most 30 days ahead');
}
