import type { Compute, Iam } from './services.ts';
import { invalidConfig } from '../config/invalid-config.ts';

/** One MCP endpoint the host serves. Nothing is mounted unless a mount says so. */
export interface McpMount {
  /** Absolute path, `/mcp` where absent. */
  path?: string;
  handler: (request: Request) => Response | Promise<Response>;
}

export interface HostContext {
  compute: Compute;
  iam: Iam;
  /** IAM's root tenant, which owns pools and nodes. */
  platformTenantId: string;
}

export interface Host {
  mcp?: McpMount | readonly McpMount[];
}

export type HostFactory = (context: HostContext) => Host | Promise<Host>;

/** Types the `host` export of a `better-compute.config.ts`. */
export const defineHost = (factory: HostFactory): HostFactory => factory;

export interface Mount {
  path: string;
  handler: McpMount['handler'];
}

const PATH = /^(\/[A-Za-z0-9._~-]+)+$/;
const TAKEN = ['/api', '/health', '/ready', '/metrics', '/node', '/v1', '/t', '/approvals', '/assets'];

/** Checks what the configuration mounts; a mistake is INVALID_CONFIG before anything listens. */
export function mountsOf(host: Host, file?: string): Mount[] {
  const list = host.mcp === undefined ? [] : Array.isArray(host.mcp) ? (host.mcp as readonly McpMount[]) : [host.mcp as McpMount];
  const seen = new Set<string>();
  return list.map((mount, index) => {
    const where = { ...(file ? { file } : {}), path: list.length === 1 ? 'host.mcp' : `host.mcp[${index}]` };
    const path = mount?.path ?? '/mcp';
    if (typeof path !== 'string' || !PATH.test(path))
      throw invalidConfig(`path must be absolute, such as /mcp; got ${JSON.stringify(path)}`, { ...where, path: `${where.path}.path` });
    if (typeof mount?.handler !== 'function')
      throw invalidConfig('handler is missing: give it computeMcpEndpoint({ compute, gate }).handler', { ...where, path: `${where.path}.handler` });
    if (TAKEN.some((taken) => path === taken || path.startsWith(`${taken}/`)))
      throw invalidConfig(`${path} belongs to the server itself: choose another path`, { ...where, path: `${where.path}.path` });
    if (seen.has(path)) throw invalidConfig(`${path} is mounted twice`, { ...where, path: `${where.path}.path` });
    seen.add(path);
    return { path, handler: mount.handler };
  });
}
