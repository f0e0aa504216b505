/** `better-compute/mcp`: the MCP server and its gate rules. */
export * from '@better-compute/mcp';
