import { createServer, type RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { Serving } from '../served.ts';
import { portOf } from './bare.ts';

/** The official SDK's own handler of both eras, JSON answers, one tool that does nothing, nobody checked. */
export async function serveSdkV2(): Promise<Serving> {
  const handler = createMcpHandler(() => {
    const mcp = new McpServer({ name: 'empty', version: '1' });
    mcp.registerTool('empty', {}, () => ({ content: [] }));
    return mcp;
  });
  return { path: '/mcp', port: await portOf(createServer(toNodeHandler(handler) as RequestListener)), token: 'none', tool: 'empty' };
}
