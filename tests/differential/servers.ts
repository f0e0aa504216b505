import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The official v2 server with the fixture tools of ours. */
export function officialHandler(): (request: Request) => Promise<Response> {
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: 'fixture', version: '1' });
    server.registerTool(
      'test_simple_text',
      { description: 'Answers a text.', inputSchema: z.strictObject({}), outputSchema: z.object({ text: z.string() }) },
      () => answered({ text: 'This is a simple text response for testing.' }),
    );
    server.registerTool('test_error_handling', { description: 'Always refuses.', inputSchema: z.strictObject({}) }, () => {
      throw new Error('This tool intentionally returns an error for testing');
    });
    server.registerTool(
      'add',
      {
        description: 'Adds two numbers.',
        inputSchema: z.strictObject({ a: z.number(), b: z.number().optional() }),
        outputSchema: z.object({ sum: z.number() }),
      },
      ({ a, b }) => answered({ sum: a + (b ?? 0) }),
    );
    return server;
  });
  return (request) => fetch(request);
}

const answered = (structuredContent: Record<string, unknown>) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
  structuredContent,
});
