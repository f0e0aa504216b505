import type { InputOf, OutputOf } from '@kit/operation';
import { isUniqueViolation } from '@kit/store';
import { parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound, refuse } from '../refuse.ts';
import { checkSponsor } from './sponsor.ts';
import { agentRecord, findAgent, updateAgentTraits } from './store.ts';

type Update = OperationOf<'agents.update'>;

export async function updateAgent(call: Call, input: InputOf<Update>): Promise<OutputOf<Update>> {
  const { plane, tx, tenantId, now } = call;
  const row = await findAgent(tx, tenantId, input.agentId);
  if (!row || row.status === 'deleted') throw notFound();
  const isNewSponsor = input.sponsorId !== undefined && input.sponsorId !== row.sponsorId;
  if (isNewSponsor) await checkSponsor(call, input.sponsorId!);
  const { agentId: _, tenantId: __, name, boundary, expiresAt, ...traits } = input;
  const given = Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== undefined));
  await updateAgentTraits(tx, row.id, { ...row, ...given });
  const next = boundary === undefined ? row.boundary : boundary && parsePolicy(boundary, plane.catalog);
  await tx
    .run('update iam.identities set name = $2, boundary = $3, expires_at = $4, updated_at = $5 where id = $1', [
      row.id,
      name ?? row.name,
      next && JSON.stringify(next),
      expiresAt === undefined ? row.expiresAt : expiresAt,
      now,
    ])
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse('CONFLICT', 'this name is taken in the organization', { details: { path: 'name' } }) : error;
    });
  await call.changed(row.id, input);
  if (isNewSponsor) await call.audit('agent:sponsor-change', row.id, { from: row.sponsorId, to: input.sponsorId! });
  return agentRecord((await findAgent(tx, tenantId, row.id))!, now);
}
