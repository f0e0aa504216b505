import type { CredentialInput } from '@kit/operation';
import type { McpCaller } from './caller.ts';
import { ask, IamFailure } from './failure.ts';
import { ForwardedHeaders, presented } from './headers.ts';
import type { McpAuthenticated } from './iam.ts';
import { accessOf, isJwt } from './oauth.ts';
import type { AuthorizerSettings } from './options.ts';

export type Admission = { kind: 'none' } | { kind: 'invalid' } | { kind: 'caller'; caller: McpCaller; headers: ForwardedHeaders };

/** Steps 3 and 4 of iam.md §19.2. Throws {@link IamFailure} with 503 when nobody can say who calls. */
export async function admit(settings: AuthorizerSettings, from: Headers): Promise<Admission> {
  const found = presented(from);
  if (found.kind === 'none') return { kind: 'none' };
  if (found.kind === 'malformed') return { kind: 'invalid' };
  if (settings.oauth && isJwt(found.token)) {
    // A token made for this endpoint is never passed on to another service (iam.md §21.4).
    const caller = await oauthCaller(settings, found.token);
    return caller ? { kind: 'caller', caller, headers: new ForwardedHeaders(from) } : { kind: 'invalid' };
  }
  const headers = new ForwardedHeaders(from, found.token);
  const caller = await iamCaller(settings, found.token, headers);
  return caller ? { kind: 'caller', caller, headers } : { kind: 'invalid' };
}

async function iamCaller(settings: AuthorizerSettings, token: string, headers: ForwardedHeaders): Promise<McpCaller | undefined> {
  const credential = credentialOf(token, headers);
  const found = await ask(() => settings.iam.authenticate(credential)).catch(refusedAs401);
  if (found === undefined || found.session?.kind === 'pat') return undefined;
  if (!isWhole(found)) throw new IamFailure(503);
  const { identity, session } = found;
  const tenantId = tenantOf(settings, { identityId: identity.id, sessionTenantId: session.tenantId });
  if (tenantId === undefined) return undefined;
  return {
    kind: 'iam',
    credential,
    tenantId,
    sessionTenantId: session.tenantId,
    identityId: identity.id,
    identityKind: identity.kind,
    sessionKind: session.kind,
    ...(session.agentId === undefined ? {} : { agentId: session.agentId }),
    ...(session.delegationId === undefined ? {} : { delegationId: session.delegationId }),
  };
}

/** An embedded IAM looks at the token alone, so the headers are made for whoever asks for them. */
const credentialOf = (token: string, headers: ForwardedHeaders): CredentialInput & { token: string } =>
  Object.defineProperty({ token }, 'headers', { enumerable: true, configurable: true, get: () => headers.whole() });

async function oauthCaller(settings: AuthorizerSettings, token: string): Promise<McpCaller | undefined> {
  const { oauth } = settings;
  if (!oauth?.resource) return undefined;
  const verified = await ask(() => oauth.verify(token)).catch(refusedAs401);
  if (!verified) return undefined;
  const { fixedTenantId } = settings;
  const access = accessOf(verified, {
    issuer: oauth.issuer,
    resource: oauth.resource,
    nowMs: settings.now(),
    ...(fixedTenantId === undefined ? {} : { fixedTenantId }),
  });
  if (!access) return undefined;
  const { tenantId: sessionTenantId, ...rest } = access;
  if (fixedTenantId !== undefined) return { kind: 'oauth', ...rest, tenantId: fixedTenantId };
  if (access.subject === undefined || sessionTenantId === undefined) return undefined;
  const tenantId = tenantOf(settings, { identityId: access.subject, sessionTenantId });
  return tenantId === undefined ? undefined : { kind: 'oauth', ...rest, tenantId };
}

function refusedAs401(error: unknown): undefined {
  if (error instanceof IamFailure && error.status === 401) return undefined;
  throw error;
}

/** The host's own function: when it throws nobody is refused and nobody passes. */
function tenantOf(settings: AuthorizerSettings, caller: { identityId: string; sessionTenantId: string }): string | undefined {
  try {
    const tenantId = settings.tenantOf(caller);
    return typeof tenantId === 'string' && tenantId !== '' ? tenantId : undefined;
  } catch (cause) {
    throw new IamFailure(503, { cause });
  }
}

/** An answer that does not say who calls is no answer: never let in as nobody. */
function isWhole(found: McpAuthenticated): boolean {
  const { identity, session } = found;
  return [identity?.id, identity?.kind, session?.tenantId, session?.kind].every((member) => typeof member === 'string' && member !== '');
}
