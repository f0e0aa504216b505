import type { DevReady } from './server.ts';

export interface ToolAnswer {
  structuredContent: Record<string, unknown>;
  isError: boolean;
}

export interface Agent {
  version: string;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** The agent of the story: the official MCP client over the network, holding nothing but its delegated token. */
export async function connectAgent(ready: DevReady): Promise<Agent> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'better-compute-demo', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', ready.url), {
    requestInit: { headers: { authorization: `Bearer ${ready.agentToken}` } },
  });
  await client.connect(transport);
  return {
    version: String(client.getServerVersion()?.version ?? ''),
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      return { structuredContent: (result.structuredContent ?? {}) as Record<string, unknown>, isError: result.isError === true };
    },
    close: () => client.close(),
  };
}
