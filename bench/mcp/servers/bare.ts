import { createServer } from 'node:http';
import type { Serving } from '../served.ts';
import { pools } from './pools.ts';

/** The least there can be: reads one JSON message, writes the same answer, knows nobody. */
export async function serveBare(): Promise<Serving> {
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => (text += chunk));
    incoming.on('end', () => {
      const { id } = JSON.parse(text) as { id: number };
      const result = { content: [{ type: 'text', text: JSON.stringify(pools, null, 2) }], structuredContent: pools };
      const body = JSON.stringify({ jsonrpc: '2.0', id, result });
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      outgoing.end(body);
    });
  });
  return { path: '/mcp', port: await portOf(server), token: 'none', tool: 'list_pools' };
}

export async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
