import { direct } from '@kit/operation';
import { admit } from './admit.ts';
import { challenge, denied, rpcCode, rpcError, unavailable } from './answers.ts';
import { McpArrived, rebuilt } from './arrived.ts';
import type { McpCaller } from './caller.ts';
import { decideCall } from './decide.ts';
import { IamFailure } from './failure.ts';
import { filterList } from './filter.ts';
import { limits } from './limits.ts';
import { isPlain, type Message, parameter, readMessage } from './message.ts';
import { METADATA_ROOT, metadataResponse, protectedResourceMetadataUrl } from './metadata.ts';
import { headerMismatch, isModernRequest } from './modern.ts';
import { type AuthorizerSettings, authorizerSettings, invalidConfig, type McpGateOptions } from './options.ts';
import { allowedOriginsOf, forbiddenOrigin, isAllowedOrigin, preflight, withCors } from './origin.ts';
import { visibleTools } from './visible.ts';

export interface McpNext {
  (request: Request, caller: McpCaller): Response | Promise<Response>;
  /** A handler of this process that takes the very value the gate has decided on, so that nothing is written and read again between them. */
  readonly [direct]?: (arrived: McpArrived, caller: McpCaller) => Promise<Response>;
}

/** Stands in front of an MCP handler: who calls, and which tools they may see and call (iam.md §19). */
export interface McpGate {
  (request: Request, next: McpNext): Promise<Response>;
  /** The one list of origins; undefined: the origin each request is addressed to. */
  readonly allowedOrigins: readonly string[] | undefined;
  /** Whether this gate files confirmations itself, which a gate in front of compute must not. */
  readonly filesConfirmations: boolean;
  readonly hasMetadata: boolean;
  /** Path of the RFC 9728 document, where there is one. */
  readonly metadataPath: string | undefined;
}

interface GateSettings extends AuthorizerSettings {
  metadata: McpGateOptions['metadata'];
  metadataUrl: string | undefined;
  metadataPath: string | undefined;
  allowedOrigins: readonly string[] | undefined;
  bodyBytesMax: number;
}

/** Throws `INVALID_CONFIG` naming the option. The gate itself rejects only with what `next` throws. */
export function createMcpGate(options: McpGateOptions): McpGate {
  const settings = gateSettings(options);
  const gate = async (request: Request, next: McpNext): Promise<Response> => {
    const early = beforeCredential(settings, request);
    if (early) return early;
    const origin = request.headers.get('origin');
    if (origin !== null && !isAllowedOrigin(origin, settings.allowedOrigins, request.url)) return forbiddenOrigin();
    const response = await answer(settings, request, next);
    return origin === null ? response : withCors(response, origin);
  };
  const { allowedOrigins, metadataPath } = settings;
  return Object.assign(gate, { allowedOrigins, metadataPath, hasMetadata: metadataPath !== undefined, filesConfirmations: settings.delegations !== undefined });
}

function gateSettings(o: McpGateOptions): GateSettings {
  const settings = authorizerSettings(o);
  const { metadata, maxBodyBytes: bodyBytesMax = limits.bodyBytes } = o;
  if (!Number.isSafeInteger(bodyBytesMax) || bodyBytesMax < 1) throw invalidConfig('maxBodyBytes must be a positive integer');
  const metadataUrl = metadata && protectedResourceMetadataUrl(metadata.resource);
  const { oauth } = settings;
  const resource = oauth?.resource ?? metadata?.resource;
  if (oauth && (resource === undefined || (metadata && resource !== metadata.resource)))
    throw invalidConfig('oauth needs metadata.resource: it is the audience of access tokens');
  return {
    ...settings,
    ...(oauth && resource !== undefined ? { oauth: { issuer: oauth.issuer, resource, verify: (token) => oauth.verify(token) } } : {}),
    metadata,
    metadataUrl,
    metadataPath: metadataUrl && new URL(metadataUrl).pathname,
    allowedOrigins: allowedOriginsOf(o),
    bodyBytesMax,
  };
}

/** Step 1 of iam.md §19.2: what is answered to everybody. */
function beforeCredential(settings: GateSettings, request: Request): Response | undefined {
  if (request.url.includes(METADATA_ROOT)) {
    const { pathname } = new URL(request.url);
    if (settings.metadata && pathname === settings.metadataPath) return metadataResponse(settings.metadata, request.method);
    if (pathname.startsWith(METADATA_ROOT)) return new Response(null, { status: 404 });
  }
  return request.method === 'OPTIONS' ? preflight(request, settings.allowedOrigins) : undefined;
}

async function answer(settings: GateSettings, request: Request, next: McpNext): Promise<Response> {
  try {
    const admission = await admit(settings, request.headers);
    if (admission.kind !== 'caller') return challenge(admission.kind === 'invalid', settings.metadataUrl);
    if (unmakeable.has(request.method)) return new Response(null, { status: 405, headers: { allow: 'POST', 'cache-control': 'no-store' } });
    if (request.method !== 'POST') return await next(rebuilt(request, { headers: admission.headers.whole() }), admission.caller);
    const read = await readMessage(request, settings.bodyBytesMax);
    if (read instanceof Response) return read;
    return await dispatch(settings, { request, caller: admission.caller, arrived: new McpArrived(request, read, admission.headers) }, next);
  } catch (error) {
    if (!(error instanceof IamFailure)) throw error;
    return error.status === 401 ? challenge(true, settings.metadataUrl) : unavailable(error.retryAfterSeconds);
  }
}

/** Fetch makes no request of these, so none could go on. */
const unmakeable: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

interface Call {
  request: Request;
  caller: McpCaller;
  arrived: McpArrived;
}

/** Steps 10 to 12. */
async function dispatch(settings: GateSettings, call: Call, next: McpNext): Promise<Response> {
  const { request, caller, arrived } = call;
  const { message } = arrived;
  const isModern = isModernRequest(message, request.headers);
  const mismatch = isModern ? headerMismatch(message, request.headers) : undefined;
  if (mismatch) return mismatch;
  if (message.method === 'tools/call') {
    const refusal = await refuseCall(settings, caller, message, isModern);
    if (refusal) return refusal;
  }
  const response = await (next[direct]?.(arrived, caller) ?? next(arrived.whole(), caller));
  if (message.method !== 'tools/list') return response;
  return filterList(response, { id: message.id ?? null, isModern, visible: (tools) => visibleTools(settings, caller, tools) });
}

async function refuseCall(settings: GateSettings, caller: McpCaller, message: Message, isModern: boolean): Promise<Response | undefined> {
  const { id } = message;
  // Nobody could be told the outcome, so a notification never runs a tool.
  if (id === undefined) return new Response(null, { status: 202 });
  const name = parameter(message, 'name');
  if (typeof name !== 'string') return rpcError(200, rpcCode.invalidParams, 'params.name must be a string.', id);
  const given = parameter(message, 'arguments');
  const args = given === undefined ? {} : given;
  if (!isPlain(args)) return rpcError(200, rpcCode.invalidParams, 'params.arguments must be an object, or left out.', id);
  const decision = await decideCall(settings, caller, name, args);
  return decision.allowed ? undefined : denied(id, decision, isModern);
}
