import { parseWith } from '@kit/operation';
import type { Tx } from '@kit/store';
import type { JsonValue } from '@better-iam/core';
import { BreakGlassInput } from '@better-iam/contract';
import { appendEvent } from '../audit/append.ts';
import { bindRole } from '../bindings/store.ts';
import { findPersonByEmail, otherActiveOwners } from '../identities/store.ts';
import { limits } from '../limits.ts';
import type { Plane } from '../plane.ts';
import { notFound, refuse } from '../refuse.ts';
import { lockTenants, raiseGeneration } from '../state/generation.ts';
import { findRoot, findTenantBySlug, type TenantRow } from '../tenants/store.ts';
import { endEverything } from './end-everything.ts';
import { makeCode } from './store.ts';

/**
 * A one-time code for an existing person where nobody is left who could reset them (iam.md §3.5). With the deployment's authority: from the host alone,
 * and loud, for it is recorded with its reason and the host's account in the person's chain and in the root's.
 */
export async function breakGlass(plane: Plane, untrusted: BreakGlassInput): Promise<{ codeId: string; code: string; expiresAt: number }> {
  const input = parseWith(BreakGlassInput, untrusted);
  return await plane.db.transaction(async (tx) => {
    const tenant = await findTenantBySlug(tx, input.organization);
    if (!tenant) throw notFound();
    await lockTenants(tx, tenant.path, 'change');
    const now = plane.now();
    const person = await findPersonByEmail(tx, tenant.id, input.email, now);
    if (person?.status !== 'active') throw notFound();
    if (input.owner === true) await makeOwner(plane, tx, tenant, person.id);
    const made = await makeCode(plane, tx, {
      tenantId: tenant.id,
      identityId: person.id,
      kind: 'break-glass',
      dropsFactor: true,
      reason: input.reason,
      madeBy: input.hostAccount,
      lifeMs: limits.breakGlassMs,
    });
    const actor = { id: `host:${input.hostAccount}`, sessionContext: {} };
    const audit = async (action: string, resourceId: string, metadata: Record<string, JsonValue> = {}) =>
      appendEvent(plane, tx, tenant.id, actor, { action, resourceId, outcome: 'allow', metadata });
    const ended = await endEverything({ tx, now, audit }, person.id);
    const metadata = { reason: input.reason, codeId: made.codeId, owner: input.owner === true, ...ended };
    await audit('auth:break-glass', person.id, metadata);
    const root = await findRoot(tx);
    if (root && root.id !== tenant.id)
      appendEvent(plane, tx, root.id, actor, {
        action: 'auth:break-glass',
        resourceId: person.id,
        outcome: 'allow',
        metadata: { ...metadata, targetTenantId: tenant.id },
      });
    await raiseGeneration(tx, tenant.id);
    return made;
  });
}

async function makeOwner(plane: Plane, tx: Tx, tenant: TenantRow, identityId: string): Promise<void> {
  const now = plane.now();
  if ((await otherActiveOwners(tx, tenant.id, '', now)) > 0)
    throw refuse('CONFLICT', 'the organization has an active owner: let them in again, or let them bind the role');
  const role = await tx.one<{ id: string }>('select id from iam.roles where tenant_id = $1 and is_owner', [tenant.id]);
  const binding = {
    id: plane.newId('bnd_'),
    tenantId: tenant.id,
    roleId: role!.id,
    identityId,
    groupId: null,
    startsAt: null,
    expiresAt: null,
    createdAt: now,
  };
  await bindRole(tx, binding);
}
