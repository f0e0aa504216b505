import { type CredentialInput, readAuthorization, refusalOf } from '@better-compute/client';
import { invalidConfig } from './config-error.ts';

interface Options {
  headers?: Record<string, string>;
}
interface ResourceRef {
  type: string;
  id: string;
}
interface Check {
  action: string;
  resource: ResourceRef;
}
type AuthorizeRequest = CredentialInput & { tenantId: string; action: string; resource: ResourceRef; consume?: boolean };
type AuthorizeManyRequest = CredentialInput & { tenantId: string; checks: Check[] };
interface ConfirmationRequest extends Check {
  tenantId: string;
  reason: string;
  validSeconds?: number;
}

/** What is used of `createIamClient()`; structural. */
export interface IamClient {
  sts: {
    getCallerIdentity(options: Options): Promise<{
      identityId: string;
      identityTenantId: string;
      identityKind: string;
      tenantId: string;
      sessionId: string;
      sessionKind: string;
      agentId?: string | undefined;
      delegationId?: string | undefined;
    }>;
  };
  authorize(input: { tenantId: string } & Check & { consume?: boolean }, options: Options): Promise<{ allowed: boolean; reason: string; matched: string[] }>;
  authorizeMany(input: { tenantId: string; checks: Check[] }, options: Options): Promise<{ results: { allowed: boolean }[] }>;
  delegations: {
    get(input: { tenantId: string; delegationId: string }, options: Options): Promise<unknown>;
    requestConfirmation(input: ConfirmationRequest, options: Options): Promise<{ id: string; expiresAt?: number | undefined }>;
  };
}

/** What a gate asks of IAM; structural (iam.md §8.3). */
export interface McpIam {
  authenticate(credential: CredentialInput): Promise<{
    identity: { id: string; tenantId: string; kind: string };
    session: { id: string; tenantId: string; kind: string; agentId?: string; delegationId?: string };
  }>;
  authorize(request: AuthorizeRequest): Promise<{ allowed: boolean; reason: string; matched: string[] }>;
  authorizeMany(request: AuthorizeManyRequest): Promise<{ results: { allowed: boolean }[] }>;
  api: {
    delegations: {
      get(credential: CredentialInput, input: { tenantId: string; delegationId: string }): Promise<unknown>;
      requestConfirmation(credential: CredentialInput, input: ConfirmationRequest): Promise<{ id: string; expiresAt?: number | undefined }>;
    };
  };
}

/** All that goes on (B38): an address or a cookie of the caller's choosing must never decide a policy. */
const FORWARDED = ['user-agent', 'x-request-id'] as const;

/**
 * Lets a gate ask an IAM in another process, each time with the caller's own credential, so that IAM decides and audits as the caller (iam.md §20).
 * Rejects with `code` and `status`: 401 stays 401, other refusals keep theirs, and an IAM that cannot be reached or understood is `UNAVAILABLE` 503.
 */
export function remoteMcpIam(client: IamClient): McpIam {
  if (typeof client?.sts?.getCallerIdentity !== 'function' || typeof client.authorize !== 'function')
    throw invalidConfig('remoteMcpIam: give it a createIamClient()');
  if ((client as { $holdsCredential?: unknown }).$holdsCredential === true)
    throw invalidConfig(
      'remoteMcpIam: the client must hold no credential of its own, or every caller would act as it: make it without token and without an authorization header',
    );
  return {
    authenticate: (credential) =>
      asked(credential, async (options) => {
        const c = await client.sts.getCallerIdentity(options);
        return {
          identity: { id: c.identityId, tenantId: c.identityTenantId, kind: c.identityKind },
          session: {
            id: c.sessionId,
            tenantId: c.tenantId,
            kind: c.sessionKind,
            ...(c.agentId === undefined ? {} : { agentId: c.agentId }),
            ...(c.delegationId === undefined ? {} : { delegationId: c.delegationId }),
          },
        };
      }),
    authorize: ({ tenantId, action, resource, consume, ...credential }) =>
      asked(credential, (options) => client.authorize({ tenantId, action, resource, ...(consume === undefined ? {} : { consume }) }, options)),
    authorizeMany: ({ tenantId, checks, ...credential }) => asked(credential, (options) => client.authorizeMany({ tenantId, checks }, options)),
    api: {
      delegations: {
        get: (credential, input) => asked(credential, (options) => client.delegations.get(input, options)),
        requestConfirmation: (credential, input) => asked(credential, (options) => client.delegations.requestConfirmation(input, options)),
      },
    },
  };
}

async function asked<T>(credential: CredentialInput, call: (options: Options) => Promise<T>): Promise<T> {
  const headers = forwarded(credential);
  try {
    return await call({ headers });
  } catch (error) {
    const refusal = refusalOf(error);
    const { status = 0, code = '', retryAfterMs } = refusal ?? {};
    if (status >= 400 && status < 500 && code !== 'HTTP_ERROR' && code !== 'INVALID_RESPONSE') throw error;
    throw Object.assign(new Error('IAM cannot be reached.', { cause: error }), {
      code: 'UNAVAILABLE',
      status: 503,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
}

/** A request without a credential is refused here: IAM need not be asked who nobody is. */
function forwarded({ token, headers }: CredentialInput): Record<string, string> {
  const presented = token === undefined ? readAuthorization(headers ?? {}) : { kind: 'token' as const, token };
  if (presented.kind !== 'token') throw Object.assign(new Error('There is no credential.'), { code: 'UNAUTHENTICATED', status: 401 });
  const from = new Headers(headers ?? {});
  const kept: Record<string, string> = { authorization: `Bearer ${presented.token}` };
  for (const name of FORWARDED) {
    const value = from.get(name);
    if (value !== null) kept[name] = value;
  }
  return kept;
}
