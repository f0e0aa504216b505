import type { Served } from './served.ts';

export type Era = '2025-11-25' | '2026-07-28';

/** The bytes of one `tools/call` in an era, as its clients send them. */
export function callOf({ port, path, token, tool }: Served, era: Era): Buffer {
  const isStateless = era === '2026-07-28';
  const meta = { 'io.modelcontextprotocol/protocolVersion': era, 'io.modelcontextprotocol/clientCapabilities': {} };
  const params = { name: tool, arguments: {}, ...(isStateless ? { _meta: meta } : {}) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'accept: application/json, text/event-stream',
    'content-type: application/json',
    `authorization: Bearer ${token}`,
    'user-agent: bench/1',
    `mcp-protocol-version: ${era}`,
    ...(isStateless ? ['mcp-method: tools/call', `mcp-name: ${tool}`] : []),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
