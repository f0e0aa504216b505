import { connect } from 'node:net';
import type { Deployment } from './deployment.ts';

export interface Answer {
  status: number;
  /** As it came. */
  text: string;
  body: any;
}

/** A call as anybody on the network can make it. */
export async function call(d: Deployment, path: string, token: string | undefined, input: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(new URL(path, d.plane.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-better-iam': '1', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    body: typeof input === 'string' ? input : JSON.stringify(input),
  });
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, text, body };
}

export const iam = (d: Deployment, method: string, token: string | undefined, input: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  call(d, `/api/iam/${method}`, token, input, headers);
export const compute = (d: Deployment, method: string, token: string | undefined, input: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  call(d, `/api/compute/${method}`, token, input, headers);

export const codeOf = ({ body }: Answer): string => body?.error?.code ?? 'answered';

/** A tool call through the mounted endpoint. */
export async function tool(d: Deployment, token: string, name: string, args: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const message = typeof args === 'string' ? args : { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return await call(d, '/mcp', token, message, { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18', ...headers });
}

/** Bytes on a connection of its own, for requests no client would send; gives the status, or 0 where the connection is just closed. */
export function raw(d: Deployment, lines: readonly string[], body = ''): Promise<number> {
  const { hostname, port } = new URL(d.plane.url);
  const text = [...lines, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)));
  });
}
