import { readDraftResource } from '../calls/draft-store.ts';
import type { ResolvedResource } from '../iam-port.ts';
import { lookAt, type Plane } from '../plane.ts';
import { objects } from './objects.ts';
import { typeOf } from './type-name.ts';

export interface AskedResource {
  tenantId: string;
  type: string;
  id: string;
}

/** Types whose objects have ids of their own; `node-token` is decided on its pool and is no type of policies. */
const byId = ['tenant', 'fleet', 'pool', 'node', 'reservation', 'command', 'instance', 'sandbox-template', 'sandbox', 'snapshot', 'volume'] as const;

/** For IAM: what an id of compute's types stands for in a tenant (iam.md §9.2). Undefined: nothing that tenant may know of. */
export async function resolveResource(plane: Plane, asked: AskedResource): Promise<ResolvedResource | undefined> {
  const { tenantId, type, id } = asked;
  if (id.startsWith('drf_')) return readDraftResource(plane.database, asked);
  const noun = byId.find((name) => typeOf(plane, name) === type);
  return noun && (await objects[noun]!(await lookAt(plane, tenantId), id))?.resource;
}
