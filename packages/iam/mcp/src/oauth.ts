import { limits } from './limits.ts';

/**
 * Access tokens of an authorization server, level 1 (iam.md §21.4). The verifier answers for the signature alone, by the
 * issuer's keys and pinned algorithms; the gate itself holds the token to its issuer, audience, time and tenant.
 */
export interface McpOAuth {
  issuer: string;
  /** The audience tokens must name exactly. A gate takes it from `metadata.resource`. */
  resource?: string;
  /** undefined when the signature does not hold. Throws when the keys cannot be had. */
  verify(token: string): Promise<McpVerifiedToken | undefined>;
}

export interface McpVerifiedToken {
  /** Header member `typ`. */
  typ?: string;
  claims: Readonly<Record<string, unknown>>;
}

export interface McpAccess {
  clientId: string;
  subject?: string;
  tenantId?: string;
  scopes: string[];
}

/** IAM's own tokens have no dot; three parts are a JWT. One token is tried in one place only. */
export const isJwt = (token: string): boolean => token.split('.').length === 3;

/** undefined: not a token for this resource. */
export function accessOf(token: McpVerifiedToken, o: { issuer: string; resource: string; fixedTenantId?: string; nowMs: number }): McpAccess | undefined {
  const { claims } = token;
  const { iss, aud, exp, nbf, sub, client_id: clientId, tenant_id: tenantId, scope } = claims;
  if (token.typ?.toLowerCase() !== 'at+jwt' || iss !== o.issuer || aud !== o.resource) return undefined;
  const nowSeconds = o.nowMs / 1000;
  if (typeof exp !== 'number' || exp + limits.tokenLeewaySeconds <= nowSeconds) return undefined;
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf - limits.tokenLeewaySeconds > nowSeconds)) return undefined;
  if (typeof clientId !== 'string' || clientId === '') return undefined;
  if (tenantId !== undefined && (typeof tenantId !== 'string' || (o.fixedTenantId !== undefined && tenantId !== o.fixedTenantId))) return undefined;
  return {
    clientId,
    ...(typeof sub === 'string' ? { subject: sub } : {}),
    ...(tenantId === undefined ? {} : { tenantId }),
    scopes: typeof scope === 'string' ? scope.split(' ').filter((s) => s !== '') : [],
  };
}
