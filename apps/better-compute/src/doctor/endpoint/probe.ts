/** A JSON object that came back; a JSON-RPC message where `jsonrpc` says so. */
export interface RpcAnswer {
  jsonrpc?: unknown;
  id?: unknown;
  result?: Record<string, any>;
  error?: { code?: number; message?: string; data?: unknown };
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Of a stream that has no end only what came up to its answer. */
  text: string;
  /** Undefined where the body is none. */
  message: RpcAnswer | undefined;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** In place of the endpoint's own address. */
  url?: string;
  /** Without the token, though there is one. */
  isAnonymous?: boolean;
}

/** Talks to one endpoint as a client from outside would. */
export interface Probe {
  readonly url: string;
  readonly hasToken: boolean;
  /** Sent with every later request, as a server with sessions wants it. */
  sessionId: string | undefined;
  /** Why the last request had no answer. */
  failure: string | undefined;
  /** Undefined: no answer in time, or no connection. Redirects are answers. */
  ask(asked: Asked): Promise<Answer | undefined>;
  /** One message of the older revisions. */
  rpc(message: object, asked?: Asked): Promise<Answer | undefined>;
}

const PROBE_MS = 5_000;
const TEXT_MAX = 1_000_000;
/** The newest that is agreed on by `initialize`. */
export const HANDSHAKE = '2025-11-25';

export function createProbe(o: { url: string; token?: string | undefined; timeoutMs?: number }): Probe {
  const probe: Probe = {
    url: o.url,
    hasToken: o.token !== undefined,
    sessionId: undefined,
    failure: undefined,
    async ask({ method = 'POST', headers = {}, body, url = o.url, isAnonymous = false }) {
      const own: Record<string, string> = {
        ...(isAnonymous || o.token === undefined ? {} : { authorization: `Bearer ${o.token}` }),
        ...(probe.sessionId === undefined ? {} : { 'mcp-session-id': probe.sessionId }),
      };
      try {
        const signal = AbortSignal.timeout(o.timeoutMs ?? PROBE_MS);
        const response = await fetch(url, { method, headers: { ...own, ...headers }, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) });
        return await answerOf(response, method);
      } catch (error) {
        probe.failure = reasonOf(error);
        return undefined;
      }
    },
    rpc: (message, asked = {}) =>
      probe.ask({
        ...asked,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': HANDSHAKE,
          ...asked.headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      }),
  };
  return probe;
}

/** `ENOTFOUND`, `ECONNREFUSED`, `DEPTH_ZERO_SELF_SIGNED_CERT`: fetch hides them in its cause. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'the time is up';
  return typeof cause?.code === 'string' ? cause.code : 'the connection broke';
}

/** What came back, in a few words. */
export function said(answer: Answer | undefined): string {
  if (answer === undefined) return 'with nothing';
  const code = answer.message?.jsonrpc === '2.0' ? answer.message.error?.code : undefined;
  return code === undefined ? String(answer.status) : `${answer.status} ${code}`;
}

async function answerOf(response: Response, method: string): Promise<Answer> {
  const isStream = isEvents(response.headers);
  // a GET opens a stream that stays open: that it was opened is the answer
  const text = isStream && method === 'GET' ? '' : await textOf(response, isStream);
  if (isStream && method === 'GET') response.body?.cancel().catch(() => {});
  return { status: response.status, headers: response.headers, text, message: messageOf(isStream ? dataOf(text) : text) };
}

export const isEvents = (headers: Headers): boolean => /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '');
export const isJson = (headers: Headers): boolean => /^\s*application\/json/i.test(headers.get('content-type') ?? '');

async function textOf(response: Response, isStream: boolean): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    if (text.length > TEXT_MAX || (isStream && dataOf(text) !== '')) break;
  }
  reader.cancel().catch(() => {});
  return text;
}

/** The first event that is an answer: streams are opened with an empty one, and notifications may come before. */
const dataOf = (stream: string): string => {
  const events = stream.split(/\r?\n\r?\n/).slice(0, -1);
  const data = events.map((event) =>
    event
      .replaceAll(/^(?!data:).*$/gm, '')
      .replaceAll(/^data: ?/gm, '')
      .trim(),
  );
  return data.find((text) => ['result', 'error'].some((member) => Object.hasOwn(messageOf(text) ?? {}, member))) ?? '';
};

function messageOf(text: string): RpcAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RpcAnswer) : undefined;
  } catch {
    return undefined;
  }
}
