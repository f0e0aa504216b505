import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Serving } from '../served.ts';
import { portOf } from './bare.ts';

/** The official SDK's stateless form: a server and a transport for each request, JSON answers, one tool that does nothing, nobody checked. */
export async function serveSdkV1(): Promise<Serving> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const mcp = new McpServer({ name: 'empty', version: '1' });
      mcp.registerTool('empty', {}, () => ({ content: [] }));
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      outgoing.on('close', () => void mcp.close());
      await mcp.connect(transport as Parameters<McpServer['connect']>[0]);
      await transport.handleRequest(incoming, outgoing);
    })();
  });
  return { path: '/mcp', port: await portOf(server), token: 'none', tool: 'empty' };
}
