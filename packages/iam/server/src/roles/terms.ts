import type { Queryable } from '@kit/store';
import { parsePermissions, parsePolicy } from '@better-iam/core';
import type { Plane } from '../plane.ts';
import { notFound, refuse } from '../refuse.ts';
import { countPolicies, inheritance, type RoleTerms } from './store.ts';

export interface UntrustedTerms {
  name: string;
  permissions: string[] | null;
  document: unknown;
  policyIds: string[];
  inherits: string[];
}

/** Checks what a role is to be: one way of saying what it allows, policies and roles that exist here, and no circle of inheritance (iam.md §11.1). */
export async function checkTerms(plane: Plane, q: Queryable, tenantId: string, roleId: string, t: UntrustedTerms): Promise<RoleTerms> {
  if (t.permissions && t.document) throw refuse('INVALID_INPUT', 'give permissions or a document, not both', { details: { path: 'document' } });
  if (t.permissions) parsePermissions(t.permissions, plane.catalog);
  const policyIds = [...new Set(t.policyIds)];
  const inherits = [...new Set(t.inherits)];
  if ((await countPolicies(q, tenantId, policyIds)) !== policyIds.length) throw notFound();
  const parents = await inheritance(q, tenantId);
  if (inherits.some((id) => id !== roleId && !parents.has(id))) throw notFound();
  parents.set(roleId, inherits);
  if (reaches(parents, roleId)) throw refuse('INVALID_INPUT', 'a role cannot inherit itself, directly or through others', { details: { path: 'inherits' } });
  return { name: t.name, permissions: t.permissions, document: t.document ? parsePolicy(t.document, plane.catalog) : null, policyIds, inherits };
}

/** Whether following inheritance from a role comes back to it. */
function reaches(parents: ReadonlyMap<string, string[]>, start: string): boolean {
  const seen = new Set<string>();
  const open = [...(parents.get(start) ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === start) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(parents.get(id) ?? []));
  }
  return false;
}
