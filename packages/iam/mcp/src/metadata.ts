import { limits } from './limits.ts';
import { invalidConfig } from './options.ts';

/** What the gate tells of itself before anybody signed in (RFC 9728; iam.md §21.1). */
export interface McpMetadata {
  /** The endpoint's public address, the audience of access tokens; printed exactly as given. */
  resource: string;
  /** Issuers; empty while there is no authorization server. */
  authorizationServers: string[];
  scopes?: string[];
  resourceName?: string;
  documentation?: string;
}

export const METADATA_ROOT = '/.well-known/oauth-protected-resource';

/** Where a resource's metadata stands: its origin, the well-known path, its own path without a trailing slash. Throws `INVALID_CONFIG`. */
export function protectedResourceMetadataUrl(resource: string): string {
  const url = addressOf(resource);
  return `${url.origin}${METADATA_ROOT}${url.pathname.replace(/\/+$/, '')}`;
}

export function addressOf(resource: string): URL {
  const url = URL.canParse(resource) ? new URL(resource) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hash !== '' || url.username !== '' || url.password !== '')
    throw invalidConfig('metadata.resource must be an http(s) address without fragment or credentials');
  return url;
}

/** Answers the metadata path. Public and the same for everybody, hence open to every origin. */
export function metadataResponse(metadata: McpMetadata, method: string): Response {
  if (method === 'OPTIONS') {
    return new Response(null, {
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD', 'access-control-allow-headers': '*' },
    });
  }
  if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  return new Response(method === 'HEAD' ? null : JSON.stringify(documentOf(metadata)), {
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': `public, max-age=${limits.metadataMaxAgeSeconds}`,
      'x-content-type-options': 'nosniff',
    },
  });
}

function documentOf(m: McpMetadata): Record<string, unknown> {
  return {
    resource: m.resource,
    authorization_servers: m.authorizationServers,
    ...(m.scopes ? { scopes_supported: m.scopes } : {}),
    bearer_methods_supported: ['header'],
    ...(m.resourceName === undefined ? {} : { resource_name: m.resourceName }),
    ...(m.documentation === undefined ? {} : { resource_documentation: m.documentation }),
  };
}
