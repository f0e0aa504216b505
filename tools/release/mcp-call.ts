import { ReleaseFailure } from './failure.ts';
import type { Ready } from './server.ts';

const revision = '2025-11-25';

interface Answer {
  result?: { serverInfo?: { name?: string; version?: string }; isError?: boolean; structuredContent?: { items?: unknown[] } };
  error?: { message?: string };
}

/** One JSON-RPC request over the product's only MCP transport, without any library: as a stranger's client would. */
async function call({ url, agentToken }: Ready, method: string, params: unknown): Promise<NonNullable<Answer['result']>> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${agentToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(method === 'initialize' ? {} : { 'mcp-protocol-version': revision }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: method, method, params }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  if (!response.ok || !response.headers.get('content-type')?.startsWith('application/json'))
    throw new ReleaseFailure(`${method} was answered with ${response.status} ${text.slice(0, 300)}`);
  const { result, error } = JSON.parse(text) as Answer;
  if (result === undefined || result.isError === true) throw new ReleaseFailure(`${method} was refused: ${error?.message ?? text.slice(0, 300)}`);
  return result;
}

/** `initialize`, then `list_pools`: answers the server's version and how many pools it named. */
export async function askForPools(ready: Ready): Promise<{ version: string; pools: number }> {
  const { serverInfo } = await call(ready, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'release', version: '0' } });
  const { structuredContent } = await call(ready, 'tools/call', { name: 'list_pools', arguments: {} });
  const pools = structuredContent?.items ?? [];
  return { version: serverInfo?.version ?? 'none', pools: pools.length };
}
