import type { Tx } from '@kit/store';
import type { Access } from '../iam-port.ts';
import type { Plane } from '../plane.ts';
import { accessDenied } from '../refuse.ts';
import { typeOf } from '../resources/type-name.ts';
import type { Call } from './call.ts';
import { type Memory, nothingOf, readMemory } from './memory.ts';

export interface Opened {
  access: Access;
  isEveryTenant: boolean;
  memory: Memory;
  /** Known already where nothing is waited for after it. */
  now?: number;
}

/** Who calls, and in which tenant (compute.md §2, Tenant). Throws what IAM refuses: 401, or another tenant than the session's. */
export async function openCall(plane: Plane, tx: Tx, call: Call): Promise<Opened> {
  const { op, input, context } = call;
  // a list is never held back, so there is nothing to remember of it
  const isList = op.on?.kind === 'rows';
  const isEveryTenant = input.tenantId === '*' && isList;
  const opening = plane.iam.open(tx, {
    token: context.token,
    ...(input.tenantId === undefined || isEveryTenant ? {} : { tenantId: input.tenantId }),
    requestId: context.requestId,
    ...(context.clientIp === undefined ? {} : { clientIp: context.clientIp }),
    isEffect: op.effect !== 'read',
  });
  const [access, now] = await Promise.all([opening, isList ? plane.now(tx) : undefined]);
  const { caller, tenantId } = access;
  Object.assign(context.access, { tenantId, principalId: caller.identityId });
  if (caller.agentId !== undefined) context.access.agentId = caller.agentId;
  if (caller.delegationId !== undefined) context.access.delegationId = caller.delegationId;
  if (isEveryTenant && !(await isPlatformAdmin(plane, access))) throw accessDenied();
  if (now !== undefined) return { access, isEveryTenant, memory: nothingOf(access, call), now };
  return { access, isEveryTenant, memory: await readMemory(tx, access, call) };
}

async function isPlatformAdmin(plane: Plane, access: Access): Promise<boolean> {
  const { tenantId } = access;
  const fleet = { tenantId, type: typeOf(plane, 'fleet'), id: 'global', attributes: {} };
  return tenantId === (await plane.platformTenantId()) && access.check('compute:fleet:admin', fleet).allowed;
}
