import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { deputyRecord, endDeputies, findDeputy } from './store.ts';

type End = OperationOf<'delegations.endDeputy'>;

/** By the person, the deputy or an owner; needs no recent sign-in, as nothing that only takes away does. */
export async function endDeputy(call: Call, input: InputOf<End>): Promise<OutputOf<End>> {
  const { tx, tenantId, now, principal } = call;
  const row = await findDeputy(tx, tenantId, input.deputyId);
  const me = principal.identity.id;
  const mayEnd = row?.personId === me || row?.deputyId === me || principal.isOwner || principal.hasRootOverride;
  if (!row || !mayEnd) throw notFound();
  if ((await endDeputies(tx, { id: row.id }, now, me)).length === 0) throw refuse('INVALID_TRANSITION', 'it is over already');
  await call.audit('delegation:deputy-end', row.id, { deputyId: row.deputyId, subjectId: row.personId, endedBy: me });
  return deputyRecord((await findDeputy(tx, tenantId, row.id))!, now);
}

/** A person who is no longer active neither has deputies nor is one. */
export async function endDeputiesOf(call: Pick<Call, 'tx' | 'now' | 'audit'>, identityId: string): Promise<void> {
  for (const id of await endDeputies(call.tx, { identityId }, call.now, 'system'))
    await call.audit('delegation:deputy-end', id, { identityId, endedBy: 'system' });
}
