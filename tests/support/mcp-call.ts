export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Record<string, any>;
}

/** One `tools/call` of revision 2025-06-18 against a handler. */
export async function callTool(
  handler: (request: Request) => Response | Promise<Response>,
  token: string,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  const response = await rpc(handler, token, 'tools/call', { name, arguments: args });
  return response.result as ToolResult;
}

export async function rpc(
  handler: (request: Request) => Response | Promise<Response>,
  token: string | undefined,
  method: string,
  params: unknown,
): Promise<{ status: number; result?: any; error?: { code: number } }> {
  const response = await handler(
    new Request('http://mcp.test/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }),
  );
  return { status: response.status, ...((await response.json()) as object) };
}
