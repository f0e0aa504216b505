import { existsSync, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ApiError } from '@kit/operation';
import { createIamClient } from '@better-iam/client';

const RENEW_BEFORE_MS = 60_000;
/** Of the 20 that may live at once, 15 minutes each, no bridge takes more than 15 when everything it opens is refused. */
const OPEN_AGAIN_MS = 60_000;
const RETRIES_MAX = 1;

export interface BridgeOptions {
  /** Address of the MCP endpoint; a bare origin means its `/mcp`. IAM is asked at the same origin. */
  url: string;
  delegationId: string;
  /** The agent's own API key: from the environment or a file of mode 600, never an argument. */
  agentKey: string;
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  error(text: string): void;
  clock?: () => number;
  fetch?: typeof fetch;
}

export function readAgentKey(env: Record<string, string | undefined>, file: string | undefined): string {
  if (file !== undefined) {
    if (!existsSync(file)) throw new ApiError('INVALID_CONFIG', 0, `${file} does not exist: put the agent's API key there, mode 600`);
    if ((statSync(file).mode & 0o077) !== 0) throw new ApiError('INVALID_CONFIG', 0, `${file} can be read by others: chmod 600 ${file}`);
    return readFileSync(file, 'utf8').trim();
  }
  const key = env.BETTER_COMPUTE_AGENT_KEY;
  if (key === undefined || key === '') throw new ApiError('INVALID_CONFIG', 0, "set BETTER_COMPUTE_AGENT_KEY to the agent's API key, or give --key-file");
  return key;
}

interface Opened {
  token: string;
  expiresAt: number;
  openedAt: number;
}

/** Opens delegated sessions and renews them before they end; the agent's own side, no right of its own (iam.md §15.5). */
function createSession(o: BridgeOptions): { token(refused?: string): Promise<string> } {
  const clock = o.clock ?? Date.now;
  const iam = createIamClient({
    baseURL: new URL(o.url).origin,
    token: o.agentKey,
    ...(o.fetch ? { fetch: o.fetch as (request: Request) => Promise<Response> } : {}),
  });
  let current: Opened | undefined;
  let opening: Promise<Opened> | undefined;

  async function open(): Promise<Opened> {
    const { token, expiresAt } = await iam.delegations.assume({ delegationId: o.delegationId, sessionName: 'stdio-bridge' });
    // before anybody else may ask: whoever comes between would open another
    return (current = { token, expiresAt, openedAt: clock() });
  }
  /** A token that is refused is replaced once, however many calls were sent with it, and no sooner than a session may be opened again. */
  const isGood = ({ token, expiresAt, openedAt }: Opened, refused: string | undefined): boolean =>
    expiresAt - clock() > RENEW_BEFORE_MS && (token !== refused || clock() - openedAt < OPEN_AGAIN_MS);

  return {
    async token(refused) {
      if (current && isGood(current, refused)) return current.token;
      opening ??= open().finally(() => (opening = undefined));
      return (await opening).token;
    },
  };
}

type Message = { id?: string | number; method?: string; params?: { protocolVersion?: string; name?: string; _meta?: Record<string, unknown> } };

/** What is no message has no id: nobody would be told the server's answer to it, so it is refused here. */
function messageOf(line: string): { message: Message } | { code: number; text: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { code: -32700, text: 'not JSON' };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { message: value };
  return { code: -32600, text: 'a message is one JSON object; batches are not accepted' };
}

/** Headers a revision wants beside the body (compute.md §11.2): taken from the message itself. */
function headersOf(message: Message, negotiated: string | undefined): Record<string, string> {
  const modern = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (typeof modern === 'string') {
    const name = message.params?.name;
    return {
      'mcp-protocol-version': modern,
      'mcp-method': message.method ?? '',
      ...(typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) ? { 'mcp-name': name } : {}),
    };
  }
  return negotiated ? { 'mcp-protocol-version': negotiated } : {};
}

/**
 * `better-compute mcp`: reads JSON-RPC lines, forwards each with the current token, writes the answers. It answers
 * nothing itself but its own failure to reach the server.
 */
export async function runBridge(o: BridgeOptions): Promise<void> {
  const session = createSession(o);
  const send = o.fetch ?? fetch;
  const endpoint = new URL(o.url).pathname === '/' ? new URL('/mcp', o.url).href : o.url;
  let negotiated: string | undefined;
  const inFlight = new Set<Promise<void>>();

  async function forward(line: string, message: Message): Promise<void> {
    let refused: string | undefined;
    for (let attempt = 0; ; attempt++) {
      const token = await session.token(refused);
      const response = await send(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          ...headersOf(message, negotiated),
        },
        body: line,
      });
      if (response.status === 401 && attempt < RETRIES_MAX) {
        refused = token;
        continue;
      }
      const text = await response.text();
      if (message.id === undefined) return;
      const answer =
        response.headers.get('content-type')?.includes('json') && text !== ''
          ? (JSON.parse(text) as { jsonrpc?: string; result?: { protocolVersion?: string } })
          : undefined;
      if (answer?.jsonrpc !== '2.0') throw new ApiError('UNAVAILABLE', 503, `the server answered ${response.status}`);
      if (message.method === 'initialize') negotiated = answer.result?.protocolVersion;
      o.output.write(`${JSON.stringify(answer)}\n`);
      return;
    }
  }

  for await (const line of createInterface({ input: o.input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const read = messageOf(line);
    if (!('message' in read)) {
      o.output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: read.code, message: read.text } })}\n`);
      continue;
    }
    const { message } = read;
    const work = forward(line, message).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      o.error(`better-compute mcp: ${text}`);
      if (message.id !== undefined)
        o.output.write(
          `${JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: `the bridge could not reach Better Compute: ${text}` } })}\n`,
        );
    });
    // the answer to initialize sets the version of all that follows
    if (message.method === 'initialize') await work;
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work));
  }
  await Promise.all(inFlight);
}
