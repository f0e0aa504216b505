import type { Random } from '../random.ts';
import { corpus } from './corpus.ts';

/** One request as it goes over the wire. */
export interface Input {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | undefined;
  /** Whether the body comes in pieces, and whether it breaks off. */
  delivery: 'whole' | 'pieces' | 'broken';
}

const odd: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER + 2,
  1e308,
  '',
  'x',
  'x'.repeat(300),
  '\u0000',
  '\ud83d\ude00',
  '../..',
  '2026-07-28',
  '2099-01-01',
  'tools/call',
  'reserve_gpus',
  'pool_a',
  '1h',
  [],
  [[]],
  {},
  { a: { b: {} } },
  ['node_AAAAAAAAAAAAAAAAAAAAAA', 'node_AAAAAAAAAAAAAAAAAAAAAA'],
];
const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id',
  'method',
  'params',
  'name',
  'arguments',
  '_meta',
  'tenantId',
  'requestState',
  'inputResponses',
  'cursor',
  'limit',
  'x',
];
const headerNames = [
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'mcp-param-x',
  'content-type',
  'content-length',
  'accept',
  'authorization',
  'x-api-key',
  'cookie',
  'origin',
  'x-request-id',
  'x-forwarded-for',
  'user-agent',
  'host',
];
const headerValues = [
  '',
  'x',
  '0',
  '2025-06-18',
  '2026-07-28',
  '2099-01-01',
  'tools/call',
  'tools/list',
  'reserve_gpus',
  '=?base64?cmVzZXJ2ZV9ncHVz?=',
  '=?base64?%?=',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'Bearer tok_good',
  'Bearer tok_bad',
  'Bearer tok_down',
  'bearer tok_good',
  'Bearer tok_good, Bearer tok_bad',
  'Basic YTpi',
  'gbr_pat_x',
  'https://evil.example',
  'http://127.0.0.1',
  '99999999',
  'many',
];

type Container = Record<string, unknown> | unknown[];
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** A random place in a message: the container and the name or index in it. */
function placeIn(random: Random, root: Container): [Container, string] {
  let here = root;
  for (;;) {
    const keys = Object.keys(here);
    const key = keys.length === 0 ? random.pick(names) : random.pick(keys);
    // own members alone: a change of Object.prototype would be one of this process
    const value = Object.hasOwn(here, key) ? (here as Record<string, unknown>)[key] : undefined;
    if (isContainer(value) && random.chance(70)) here = value;
    else return [here, key];
  }
}

function changeMessage(random: Random, message: Record<string, unknown>): void {
  const [container, key] = placeIn(random, message);
  const set = (name: string, value: unknown) => Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
  const kind = random.below(4);
  if (kind === 0) delete (container as Record<string, unknown>)[key];
  else if (kind === 1) set(Array.isArray(container) ? String(container.length) : random.pick(names), structuredClone(random.pick(odd)));
  else if (kind === 2) set(key, nested(random.below(80)));
  else set(key, structuredClone(random.pick(odd)));
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
}

function changeHeaders(random: Random, headers: Record<string, string>): void {
  const name = random.chance(50) && Object.keys(headers).length > 0 ? random.pick(Object.keys(headers)) : random.pick(headerNames);
  if (random.chance(30)) delete headers[name];
  else headers[name] = random.pick(headerValues);
}

/** Changes of the text itself: bytes, pieces twice or gone, members twice, marks. */
function changeBytes(random: Random, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = random.below(bytes.length + 1);
  const length = random.below(20);
  switch (random.below(6)) {
    case 0:
      return bytes.map((byte, i) => (i === at ? random.below(256) : byte));
    case 1:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length));
    case 2:
      return joined(bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at));
    case 3:
      return bytes.slice(0, at);
    case 4:
      return joined(new Uint8Array([0xef, 0xbb, 0xbf]), bytes);
    default:
      return joined(
        bytes.subarray(0, 1),
        new TextEncoder().encode(random.pick(['"id":2,', '"method":"tools/call",', '"\\u0069d":3,', '"a":"\\ud800",', '[', '{}'])),
        bytes.subarray(1),
      );
  }
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A right request with up to three changes of each kind; one in ten has none. */
export function inputOf(random: Random, requestStates: readonly string[]): Input {
  const seed = random.pick(corpus);
  const headers = { ...seed.headers };
  const message = structuredClone(seed.message);
  if (requestStates.length > 0 && random.chance(10))
    Object.assign(message.params as object, {
      requestState: random.pick(requestStates),
      inputResponses: { approval: { action: random.pick(['accept', 'decline', 'x']) } },
    });
  const changes = random.chance(10) ? 0 : 1 + random.below(3);
  let isTextChanged = false;
  for (let i = 0; i < changes; i++) {
    const kind = random.below(10);
    if (kind < 5) changeMessage(random, message);
    else if (kind < 8) changeHeaders(random, headers);
    else isTextChanged = true;
  }
  let body = new TextEncoder().encode(JSON.stringify(random.chance(1) ? [message] : message));
  if (isTextChanged) body = changeBytes(random, body);
  const method = random.chance(3) ? random.pick(['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']) : 'POST';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return {
    method,
    path: random.chance(2) ? random.pick(['/mcp/', '/', '/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) : '/mcp',
    headers,
    body: hasBody ? body : undefined,
    delivery: random.chance(5) ? random.pick(['pieces', 'broken'] as const) : 'whole',
  };
}
