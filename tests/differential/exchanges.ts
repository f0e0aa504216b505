/** What clients send, byte for byte; both servers get the same. */
export interface Recorded {
  name: string;
  method?: string;
  headers?: Record<string, string>;
  /** Text, or bytes where text could not say it. */
  body?: string | Uint8Array<ArrayBuffer>;
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const withHeaders = (more: Record<string, string>): Record<string, string> => ({ ...JSON_HEADERS, ...more });
const without = (name: string): Record<string, string> => Object.fromEntries(Object.entries(JSON_HEADERS).filter(([header]) => header !== name));

const rpc = (method: string, params?: object, id: unknown = 1): string => JSON.stringify({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
const notification = (method: string, params?: object): string => JSON.stringify({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
const legacy = (name: string, method: string, params?: object, version = '2025-11-25'): Recorded => ({
  name,
  headers: withHeaders({ 'mcp-protocol-version': version }),
  body: rpc(method, params),
});
const opening = (version: string): Recorded => ({
  name: `initialize ${version}`,
  headers: JSON_HEADERS,
  body: rpc('initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } }),
});
const raw = (
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = withHeaders({ 'mcp-protocol-version': '2025-11-25' }),
): Recorded => ({
  name,
  headers,
  body,
});

const MODERN = '2026-07-28';
const meta = (version = MODERN) => ({ 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} });
const modernHeaders = (method: string, name?: string): Record<string, string> =>
  withHeaders({ 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) });
const modern = (name: string, method: string, params: Record<string, unknown> = {}, headers?: Record<string, string>): Recorded => ({
  name,
  headers: headers ?? modernHeaders(method, typeof params.name === 'string' ? params.name : undefined),
  body: rpc(method, { ...params, _meta: meta() }),
});

export const recorded: readonly Recorded[] = [
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2099-01-01'].map(opening),
  legacy('ping', 'ping'),
  legacy('tools/list', 'tools/list'),
  legacy('tools/list with an empty cursor', 'tools/list', { cursor: '' }),
  legacy('tools/list with a cursor nobody gave', 'tools/list', { cursor: 'abc' }),
  legacy('tools/list with a null cursor', 'tools/list', { cursor: null }),
  legacy('a call', 'tools/call', { name: 'test_simple_text', arguments: {} }),
  legacy('a call with a progress token', 'tools/call', { name: 'test_simple_text', arguments: {}, _meta: { progressToken: 0 } }),
  legacy('a call with null as arguments', 'tools/call', { name: 'test_simple_text', arguments: null }),
  legacy('a call as a task', 'tools/call', { name: 'test_simple_text', arguments: {}, task: { ttl: 60_000 } }),
  legacy('a call without arguments', 'tools/call', { name: 'test_simple_text' }),
  legacy('a call with arguments', 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }),
  legacy('a call with an optional argument left out', 'tools/call', { name: 'add', arguments: { a: 1 } }),
  legacy('a call that fails', 'tools/call', { name: 'test_error_handling', arguments: {} }),
  legacy('a call with a bad argument', 'tools/call', { name: 'add', arguments: { a: 'x' } }),
  legacy('a call with an unknown argument', 'tools/call', { name: 'add', arguments: { a: 1, c: 2 } }),
  legacy('a call without a needed argument', 'tools/call', { name: 'add', arguments: {} }),
  legacy('a call with __proto__ among the arguments', 'tools/call', JSON.parse('{"name":"add","arguments":{"a":1,"__proto__":{"b":2}}}') as object),
  legacy('a call with a list of arguments', 'tools/call', { name: 'add', arguments: [] }),
  legacy('a call of no tool', 'tools/call', { name: 'nope', arguments: {} }),
  legacy('a call of constructor', 'tools/call', { name: 'constructor', arguments: {} }),
  legacy('a call without a name', 'tools/call', { arguments: {} }),
  legacy('a call with a number as name', 'tools/call', { name: 1, arguments: {} }),
  legacy('an unknown method', 'tools/nope'),
  legacy('prompts/list', 'prompts/list'),
  legacy('resources/list', 'resources/list'),
  legacy('server/discover of an older revision', 'server/discover'),
  legacy('a version nobody speaks', 'ping', undefined, '2099-01-01'),
  legacy('ping in 2025-06-18', 'ping', undefined, '2025-06-18'),
  raw('no version header', rpc('ping'), JSON_HEADERS),
  raw('a notification', notification('notifications/initialized')),
  raw('a notification nobody knows', notification('notifications/nope')),
  raw('a cancellation of what is not there', notification('notifications/cancelled', { requestId: 'gone', reason: 'r' })),
  raw('a notification in a version nobody speaks', notification('notifications/initialized'), withHeaders({ 'mcp-protocol-version': '1999-01-01' })),
  raw('initialize without params', rpc('initialize'), JSON_HEADERS),
  raw('params null', '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}'),
  raw('tools/call as a notification', notification('tools/call', { name: 'test_simple_text', arguments: {} })),
  raw('id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'),
  raw('id 0', rpc('ping', undefined, 0)),
  raw('id an empty string', rpc('ping', undefined, '')),
  raw('id a string', rpc('ping', undefined, 'abc')),
  raw('id 2^53-1', rpc('ping', undefined, 9007199254740991)),
  raw('id a fraction', rpc('ping', undefined, 1.5)),
  raw('id 2^53+1', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'),
  raw('id an object', rpc('ping', undefined, {})),
  raw('jsonrpc missing', '{"id":1,"method":"ping"}'),
  raw('jsonrpc 1.0', '{"jsonrpc":"1.0","id":1,"method":"ping"}'),
  raw('method a number', '{"jsonrpc":"2.0","id":1,"method":1}'),
  raw('params a list', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}'),
  raw('a response of the client', '{"jsonrpc":"2.0","id":1,"result":{}}'),
  raw('a member more', '{"jsonrpc":"2.0","id":1,"method":"ping","extra":true}'),
  raw('a batch', `[${rpc('ping')},${rpc('ping', undefined, 2)}]`),
  raw('an empty batch', '[]'),
  raw('a batch of notifications', `[${notification('notifications/initialized')}]`),
  raw('no JSON', '{"jsonrpc":'),
  raw('an empty body', ''),
  raw('a string', '"ping"'),
  raw('a member twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'),
  raw('a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(rpc('ping'))])),
  raw(
    'bytes that are no UTF-8',
    new Uint8Array([...new TextEncoder().encode('{"jsonrpc":"2.0","id":"'), 0xff, ...new TextEncoder().encode('","method":"ping"}')]),
  ),
  raw('half a surrogate pair', '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}'),
  raw('deep nesting', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`),
  raw('another content type', rpc('ping'), { ...JSON_HEADERS, 'content-type': 'text/plain' }),
  raw('no content type', rpc('ping'), without('content-type')),
  raw('a content type with a charset', rpc('ping'), { ...JSON_HEADERS, 'content-type': 'application/json; charset=utf-8' }),
  raw('accept json only', rpc('ping'), { ...JSON_HEADERS, accept: 'application/json' }),
  raw('accept event-stream only', rpc('ping'), { ...JSON_HEADERS, accept: 'text/event-stream' }),
  raw('accept anything', rpc('ping'), { ...JSON_HEADERS, accept: '*/*' }),
  raw('accept html', rpc('ping'), { ...JSON_HEADERS, accept: 'text/html' }),
  raw('no accept', rpc('ping'), without('accept')),
  raw('a stray session id', rpc('ping'), withHeaders({ 'mcp-session-id': 'abc', 'mcp-protocol-version': '2025-11-25' })),
  { name: 'GET', method: 'GET', headers: { accept: 'text/event-stream' } },
  { name: 'DELETE', method: 'DELETE', headers: { 'mcp-session-id': 'abc' } },
  { name: 'PUT', method: 'PUT', headers: JSON_HEADERS, body: rpc('ping') },
  modern('modern server/discover', 'server/discover'),
  modern('modern tools/list', 'tools/list'),
  modern('modern call', 'tools/call', { name: 'test_simple_text', arguments: {} }),
  modern('modern call that fails', 'tools/call', { name: 'test_error_handling', arguments: {} }),
  modern('modern call with a bad argument', 'tools/call', { name: 'add', arguments: { a: 'x' } }),
  modern('modern call of no tool', 'tools/call', { name: 'nope', arguments: {} }),
  modern('modern call without a name', 'tools/call', { arguments: {} }),
  modern('modern ping', 'ping'),
  modern('modern initialize', 'initialize', { protocolVersion: MODERN, capabilities: {}, clientInfo: { name: 'c', version: '1' } }),
  modern('modern unknown method', 'tools/nope'),
  modern('modern subscriptions/listen for nothing', 'subscriptions/listen', { notifications: {} }),
  modern(
    'modern name in base64',
    'tools/call',
    { name: 'test_simple_text', arguments: {} },
    modernHeaders('tools/call', '=?base64?dGVzdF9zaW1wbGVfdGV4dA==?='),
  ),
  modern('modern another name in the header', 'tools/call', { name: 'test_simple_text', arguments: {} }, modernHeaders('tools/call', 'add')),
  modern('modern no name in a header', 'tools/call', { name: 'test_simple_text', arguments: {} }, modernHeaders('tools/call')),
  modern('modern another method in the header', 'tools/list', {}, modernHeaders('tools/call')),
  modern('modern no method in a header', 'tools/list', {}, withHeaders({ 'mcp-protocol-version': MODERN })),
  modern('modern no version in a header', 'tools/list', {}, withHeaders({ 'mcp-method': 'tools/list' })),
  modern('modern an older version in the header', 'tools/list', {}, withHeaders({ 'mcp-method': 'tools/list', 'mcp-protocol-version': '2025-11-25' })),
  { name: 'modern no _meta', headers: modernHeaders('tools/list'), body: rpc('tools/list', {}) },
  {
    name: 'modern no capabilities',
    headers: modernHeaders('tools/list'),
    body: rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } }),
  },
  {
    name: 'modern a version nobody speaks',
    headers: { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2099-01-01' },
    body: rpc('tools/list', { _meta: meta('2099-01-01') }),
  },
  {
    name: 'modern notification',
    headers: modernHeaders('notifications/cancelled'),
    body: notification('notifications/cancelled', { requestId: 1, _meta: meta() }),
  },
];
