import { canonicalJson, readJson } from '@kit/operation';
import { rpcCode, rpcError } from './answers.ts';
import { isJsonType, readAtMost } from './body.ts';
import { limits } from './limits.ts';
import { isPlain, type MessageId } from './message.ts';
import { mapEvents } from './sse.ts';

type Visible = (tools: { name: string }[]) => Promise<{ name: string }[]>;
export interface ListFilter {
  id: MessageId | null;
  isModern: boolean;
  visible: Visible;
}

/**
 * Takes from the answer to `tools/list` what the caller may not see (iam.md §19.5). It fails closed: every message with
 * `result.tools` is filtered whatever its id, and an answer that cannot be read is replaced by an error.
 *
 * The answer is held until it is complete, so that a credential that ends meanwhile is still answered with 401.
 */
export async function filterList(response: Response, o: ListFilter): Promise<Response> {
  if (response.body === null) return response;
  const bytes = await readAtMost(response.body, limits.listBytes);
  if (typeof bytes === 'string') return unreadable(o.id);
  if (bytes.byteLength === 0) return new Response(null, response);
  const type = response.headers.get('content-type');
  const isEvents = type !== null && /^\s*text\/event-stream\s*(;|$)/i.test(type);
  if (!isEvents && !isJsonType(type)) return unreadable(o.id);
  const text = isEvents ? await filterEvents(bytes, o) : await filterText(bytes, o);
  return text === undefined ? unreadable(o.id) : rebuilt(text, response);
}

const unreadable = (id: MessageId | null): Response => rpcError(502, rpcCode.internal, 'The list of tools cannot be read.', id);

function rebuilt(text: string, from: Response): Response {
  const headers = new Headers(from.headers);
  // They describe bytes that are no more.
  for (const name of ['content-length', 'content-encoding', 'etag', 'digest', 'content-digest']) headers.delete(name);
  return new Response(text, { status: from.status, statusText: from.statusText, headers });
}

async function filterEvents(bytes: Uint8Array, o: ListFilter): Promise<string | undefined> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  return mapEvents(text, (data) => filterText(new TextEncoder().encode(data), o));
}

async function filterText(bytes: Uint8Array, o: ListFilter): Promise<string | undefined> {
  let value: unknown;
  try {
    value = readJson(bytes);
  } catch {
    return undefined;
  }
  for (const message of Array.isArray(value) ? value : [value]) {
    if (!isPlain(message)) return undefined;
    const result = Object.hasOwn(message, 'result') ? message.result : undefined;
    if (!isPlain(result) || !Object.hasOwn(result, 'tools')) continue;
    if (!Array.isArray(result.tools)) return undefined;
    result.tools = await o.visible(result.tools.filter(isNamed));
    if (o.isModern) result.cacheScope = 'private';
    await refreshHashes(result);
  }
  return JSON.stringify(value);
}

const isNamed = (tool: unknown): tool is { name: string } => isPlain(tool) && Object.hasOwn(tool, 'name') && typeof tool.name === 'string';

/** A catalog hash over the whole list would tell of tools that are not shown, and match nothing the caller has. */
async function refreshHashes(result: Record<string, unknown>): Promise<void> {
  const meta = Object.hasOwn(result, '_meta') ? result._meta : undefined;
  if (!isPlain(meta)) return;
  for (const name of Object.keys(meta)) {
    if (name.endsWith('/catalogHash')) meta[name] = await sha256(canonicalJson(result.tools));
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
