import { parseWith } from '@kit/operation';
import { BootstrapInput } from '@better-iam/contract';
import { appendEvent, nobody } from '../audit/append.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { foundTenant } from './found.ts';
import { findRoot } from './store.ts';

export interface Bootstrapped {
  /** The root tenant. */
  tenantId: string;
  /** Its first owner, who is root administrator too. */
  identityId: string;
  organization?: { tenantId: string; ownerId: string };
}

/** The root tenant and its first owner, who is root administrator too, and on wish a first organization; once (iam.md §5). */
export async function bootstrap(plane: Plane, untrusted: BootstrapInput): Promise<Bootstrapped> {
  const input = parseWith(BootstrapInput, untrusted);
  return await plane.db.transaction(async (tx) => {
    const once = () => refuse('CONFLICT', 'the platform exists already: bootstrap works once');
    if (await findRoot(tx)) throw once();
    const { tenant, ownerId } = await foundTenant(plane, tx, {
      parent: undefined,
      type: 'root',
      name: input.rootName ?? 'Platform',
      slug: input.slug ?? 'platform',
      owner: { email: input.email, name: input.name, password: input.password, isRootAdmin: true },
    });
    appendEvent(plane, tx, tenant.id, nobody, { action: 'iam:bootstrap', resourceId: tenant.id, outcome: 'allow', metadata: { ownerId: ownerId! } });
    const root = { tenantId: tenant.id, identityId: ownerId! };
    if (!input.organization) return root;
    const { name, slug, owner } = input.organization;
    const first = await foundTenant(plane, tx, { parent: tenant, type: 'organization', name, slug, owner: { ...owner, isRootAdmin: false } });
    const entry = { action: 'iam:tenants:create', resourceId: first.tenant.id, outcome: 'allow', metadata: { name, slug, ownerId: first.ownerId! } } as const;
    appendEvent(plane, tx, tenant.id, nobody, entry);
    return { ...root, organization: { tenantId: first.tenant.id, ownerId: first.ownerId! } };
  });
}
