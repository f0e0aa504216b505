import { parseWith } from '@kit/operation';
import { BootstrapInput } from '@better-iam/contract';
import { appendEvent, nobody } from '../audit/append.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { foundTenant } from './found.ts';
import { findRoot } from './store.ts';

/** The root tenant and its first owner, who is root administrator too; once (iam.md §5). */
export async function bootstrap(plane: Plane, untrusted: BootstrapInput): Promise<{ tenantId: string; identityId: string }> {
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
    return { tenantId: tenant.id, identityId: ownerId! };
  });
}
