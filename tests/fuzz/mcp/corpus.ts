/** Requests that are right, of every kind: changed in a place or two, they come further than anything made up. */
export interface Seed {
  headers: Record<string, string>;
  message: Record<string, unknown>;
}

const MODERN = '2026-07-28';
const reserve = { poolId: 'pool_a', gpus: 1, duration: '1h', selector: [{ key: 'a', op: 'In', values: ['b'] }] };
const ids = { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA', nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA', batchId: 'batch_AAAAAAAAAAAAAAAAAAAAAA' };

const calls: readonly { method: string; params: Record<string, unknown> }[] = [
  { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } },
  { method: 'ping', params: {} },
  { method: 'server/discover', params: {} },
  { method: 'notifications/cancelled', params: { requestId: 1 } },
  { method: 'tools/list', params: {} },
  { method: 'tools/call', params: { name: 'list_pools', arguments: {} } },
  { method: 'tools/call', params: { name: 'reserve_gpus', arguments: reserve } },
  { method: 'tools/call', params: { name: 'reserve_gpus', arguments: { ...reserve, idempotencyKey: 'k-1' } } },
  { method: 'tools/call', params: { name: 'get_reservation', arguments: { reservationId: ids.reservationId } } },
  { method: 'tools/call', params: { name: 'extend_reservation', arguments: { reservationId: ids.reservationId, by: '1h' } } },
  { method: 'tools/call', params: { name: 'node_status', arguments: { nodeId: ids.nodeId } } },
  { method: 'tools/call', params: { name: 'exec_command', arguments: { nodeId: ids.nodeId, kind: 'node.reboot', batchId: ids.batchId } } },
  { method: 'tools/call', params: { name: 'propose_command_batch', arguments: { nodeIds: [ids.nodeId], reason: 'r' } } },
  { method: 'tools/call', params: { name: 'fleet_plan', arguments: { config: {} } } },
];

const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: 'Bearer tok_good' };

function seedOf({ method, params }: (typeof calls)[number], isModern: boolean): Seed {
  const isNotification = method.startsWith('notifications/');
  const message = (own: object) => ({ jsonrpc: '2.0', ...(isNotification ? {} : { id: 1 }), method, params: own });
  if (!isModern) return { headers: { ...common, 'mcp-protocol-version': '2025-11-25' }, message: message(params) };
  const _meta = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  return { headers: { ...common, 'mcp-protocol-version': MODERN, 'mcp-method': method, ...name }, message: message({ ...params, _meta }) };
}

export const corpus: readonly Seed[] = calls.flatMap((call) => [seedOf(call, false), seedOf(call, true)]);
