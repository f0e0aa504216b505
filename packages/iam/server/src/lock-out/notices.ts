import type { OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { listNotices } from './store.ts';

/** Cannot be hidden, only be seen (iam.md §3.5). */
export async function notices(call: Call): Promise<OutputOf<OperationOf<'auth.notices'>>> {
  const { identity, isOwner, tenant } = call.principal;
  const who = { identityId: identity.id, tenantId: tenant.id, isOwner, isPlatformOwner: isOwner && tenant.path.length === 1 };
  return { items: await listNotices(call.tx, who, call.now - limits.noticeMs) };
}
