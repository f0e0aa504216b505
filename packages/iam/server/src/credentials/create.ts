import type { InputOf, OutputOf } from '@kit/operation';
import { parsePermissions } from '@better-iam/core';
import type { Call } from '../call.ts';
import { findIdentity, type IdentityRow } from '../identities/store.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { isPatScope } from './pat-scopes.ts';
import { credentialRecord, findKey, insertKey } from './store.ts';

type Create = OperationOf<'credentials.create'>;
type Input = InputOf<Create>;

/** Keys are for machine accounts and agents, by an owner; PATs for people by themselves, for machine accounts by an owner (iam.md §3.3). */
export async function createCredential(call: Call, input: Input): Promise<OutputOf<Create>> {
  const { principal, plane, tx, tenantId, now } = call;
  const kind = input.kind ?? 'api-key';
  const isOwnPat = kind === 'pat' && input.identityId === principal.identity.id && tenantId === principal.bearer.tenantId;
  if (!isOwnPat) {
    await call.require('iam:credentials:create');
    if (!principal.isOwner && !principal.hasRootOverride) throw accessDenied();
  }
  const holder = await findIdentity(tx, tenantId, input.identityId, now);
  if (!holder || holder.status === 'deleted') throw notFound();
  checkHolder(holder, kind, isOwnPat);
  const seconds = kind === 'pat' ? patSeconds(input) : (input.expiresInSeconds ?? limits.keyDefaultSeconds);
  if (kind === 'pat') checkPatScopes(input.scopes);
  else if (input.scopes) parsePermissions(input.scopes, plane.catalog);

  const { token, hash } = plane.newToken(kind === 'pat' ? 'pat' : 'key');
  const id = plane.newId('key_');
  const expiresAt = now + seconds * 1000;
  await insertKey(tx, { id, kind, hash, tenantId, identityId: holder.id, name: input.name, scopes: input.scopes ?? null, createdAt: now, expiresAt });
  await call.audit('credential:create', id, { kind, ownerId: holder.id, name: input.name, ...(input.scopes ? { scopes: input.scopes } : {}), expiresAt });
  return { credential: credentialRecord((await findKey(tx, tenantId, id))!), token };
}

function checkHolder(holder: IdentityRow, kind: 'api-key' | 'pat', isOwnPat: boolean): void {
  const isFit = kind === 'api-key' ? holder.kind !== 'user' : holder.kind === 'service' || isOwnPat;
  if (!isFit)
    throw refuse(
      'INVALID_IDENTITY',
      kind === 'api-key' ? 'people use sessions, not API keys' : 'a token is made by the person themselves, or by an owner for a machine account',
    );
  if (holder.status !== 'active') throw refuse('INVALID_IDENTITY', `it is ${holder.status}`);
}

function patSeconds(input: Input): number {
  const seconds = input.expiresInSeconds ?? limits.patDefaultDays * 86_400;
  if (!limits.patDays.some((days) => days * 86_400 === seconds))
    throw refuse('INVALID_INPUT', `a token lives ${limits.patDays.join(', ')} days exactly`, { details: { path: 'expiresInSeconds' } });
  return seconds;
}

function checkPatScopes(scopes: string[] | undefined): void {
  const unknown = scopes?.find((name) => !isPatScope(name));
  if (!scopes || unknown !== undefined)
    throw refuse('INVALID_INPUT', unknown === undefined ? 'a token needs scopes' : `${unknown} is no scope of a token`, { details: { path: 'scopes' } });
}
