import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { compact } from '../compact.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { listDelegable } from './store.ts';

type Catalog = OperationOf<'agents.catalog'>;

/** Nothing of boundary, keys or sponsor (iam.md §13). */
export async function agentCatalog(call: Call, input: InputOf<Catalog>): Promise<OutputOf<Catalog>> {
  const { take, skip } = windowOf(input);
  const rows = await listDelegable(call.tx, call.principal.identity.tenantId, call.now, take, skip);
  return pageOf(rows, input, ({ id, name, model, provider, purpose, url }) => compact({ id, name, model, provider, purpose, url }));
}
