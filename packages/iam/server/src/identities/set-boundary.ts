import type { InputOf, OutputOf } from '@kit/operation';
import { parsePolicy } from '@better-iam/core';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { notFound } from '../refuse.ts';
import { findIdentity, identityRecord, setIdentityBoundary } from './store.ts';

type SetBoundary = OperationOf<'identities.setBoundary'>;

export async function setBoundary(call: Call, input: InputOf<SetBoundary>): Promise<OutputOf<SetBoundary>> {
  const row = await findIdentity(call.tx, call.tenantId, input.identityId, call.now);
  if (!row || row.status === 'deleted') throw notFound();
  await setIdentityBoundary(call.tx, row.id, input.boundary && parsePolicy(input.boundary, call.plane.catalog), call.now);
  await call.changed(row.id, input);
  return identityRecord(row);
}
