import type { Mount } from '../host/mounts.ts';
import type { Finding } from './findings.ts';

const PROBE_MS = 5_000;

/**
 * Asks a mount for its tools without a credential (seed, B27–B32): any 2xx serves MCP to anyone. A time-out, a throw
 * or any other status says nothing.
 */
export async function probeMount(mount: Mount, origin: string, timeoutMs = PROBE_MS): Promise<Finding | undefined> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const request = new Request(origin + mount.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      signal: abort.signal,
    });
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), timeoutMs);
    });
    const response = await Promise.race([Promise.resolve(mount.handler(request)), late]);
    if (response && response.status >= 200 && response.status < 300)
      return { level: 'error', code: 'host.mcp.ungated', text: `host.mcp answers MCP at ${mount.path} without a credential` };
    return undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
