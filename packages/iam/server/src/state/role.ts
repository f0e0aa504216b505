import type { Queryable } from '@kit/store';
import type { PolicyDocument, PolicySource } from '@better-iam/core';

/** A role with everything it stands for: its own permissions, its policies, and those of the roles it inherits. */
export interface RoleState {
  readonly id: string;
  readonly name: string;
  readonly isOwner: boolean;
  readonly sources: readonly PolicySource[];
}

interface RoleRow {
  id: string;
  name: string;
  isOwner: boolean;
  permissions: string[] | null;
  document: PolicyDocument | null;
  policyIds: string[];
  inherits: string[];
}

/** The document that a list of action patterns is short for (iam.md §11.1). */
export const permissionsDocument = (actions: readonly string[]): PolicyDocument => ({
  version: 1,
  statements: [{ effect: 'allow', actions, resources: ['*'] }],
});

function ownSources(role: RoleRow, policies: ReadonlyMap<string, PolicySource>): PolicySource[] {
  const source = (document: PolicyDocument): PolicySource => ({ kind: 'role', id: role.id, name: role.name, document });
  // the Owner role is what it is by its mark, whatever else its row may say
  if (role.isOwner) return [source(permissionsDocument(['*']))];
  return [
    ...(role.permissions ? [source(permissionsDocument(role.permissions))] : []),
    ...(role.document ? [source(role.document)] : []),
    ...role.policyIds.flatMap((id) => policies.get(id) ?? []),
  ];
}

/** Every role of a tenant, inheritance followed. A cycle is refused where roles are written; here it only must not hang. */
export async function loadRoles(q: Queryable, tenantId: string): Promise<ReadonlyMap<string, RoleState>> {
  const rows = await q.rows<RoleRow>(
    `select id, name, is_owner as "isOwner", permissions, document, policy_ids as "policyIds", inherits from iam.roles where tenant_id = $1`,
    [tenantId],
  );
  const documents = await q.rows<{ id: string; name: string; document: PolicyDocument }>('select id, name, document from iam.policies where tenant_id = $1', [
    tenantId,
  ]);
  const policies = new Map(documents.map((p) => [p.id, { kind: 'policy', id: p.id, name: p.name, document: p.document } satisfies PolicySource]));
  const byId = new Map(rows.map((role) => [role.id, role]));
  const collect = (role: RoleRow, seen: Set<string>): PolicySource[] => {
    if (seen.has(role.id)) return [];
    seen.add(role.id);
    return [...ownSources(role, policies), ...role.inherits.flatMap((id) => (byId.has(id) ? collect(byId.get(id)!, seen) : []))];
  };
  return new Map(rows.map((role) => [role.id, { id: role.id, name: role.name, isOwner: role.isOwner, sources: collect(role, new Set()) }]));
}
