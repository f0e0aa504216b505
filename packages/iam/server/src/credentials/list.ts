import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { credentialRecord, listKeys } from './store.ts';

type List = OperationOf<'credentials.list'>;

/** Own ones without more; anybody else's need `iam:credentials:read`. */
export async function listCredentials(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  const { identity, bearer } = call.principal;
  const { take, skip } = windowOf(input);
  const isOwn = bearer.kind !== 'delegated' && call.tenantId === identity.tenantId;
  const ofOneself =
    isOwn && (input.identityId === identity.id || (input.identityId === undefined && !call.principal.isOwner && !call.principal.hasRootOverride));
  if (!ofOneself) await call.require('iam:credentials:read');
  return pageOf(await listKeys(call.tx, call.tenantId, ofOneself ? identity.id : (input.identityId ?? null), take, skip), input, credentialRecord);
}
