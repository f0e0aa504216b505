import { createMcpGate } from '@better-iam/mcp';
import { createComputeMcp, gateTools } from '@better-compute/mcp';
import { ratePerSecond, sideBySide } from '../callers.ts';
import { startDeployment } from '../deployment/deployment.ts';
import type { Group } from '../group.ts';
import type { Measured } from '../row.ts';

const CALLERS = 8;
const TIMES = 1500;

/** What the gate adds to a call it lets through (compute.md §12). */
export const gate: Group = {
  name: 'gate',
  async *run(): AsyncIterable<Measured> {
    const { iam, compute, tenantId, keys, addPool, close } = await startDeployment({ callers: CALLERS });
    try {
      await addPool('pool_bench', 4);
      const mcp = createComputeMcp({ baseURL: 'http://compute.invalid', fetch: (request) => compute.handler(request) });
      const gated = createMcpGate({ iam, tenantId, tools: gateTools(), unlisted: 'deny', confirmations: false });
      const through = (handler: (request: Request) => Promise<Response>) => (caller: number) => callTool(handler, keys[caller]!);
      const { value, peer, ratio } = await sideBySide(
        7,
        () =>
          ratePerSecond(
            CALLERS,
            TIMES,
            through((request) => gated(request, (forwarded, caller) => mcp.handler(forwarded, caller))),
          ),
        () =>
          ratePerSecond(
            CALLERS,
            TIMES,
            through((request) => mcp.handler(request)),
          ),
      );
      yield {
        id: 'gate.read-call',
        value: 1000 / value,
        unit: 'ms',
        peer: { name: 'without the gate', value: 1000 / peer },
        judged: 1 / ratio,
        goal: { atMost: 1.3 },
      };
    } finally {
      await close();
    }
  },
};

async function callTool(handler: (request: Request) => Promise<Response>, token: string): Promise<void> {
  const request = new Request('http://127.0.0.1:7070/mcp', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe_pool', arguments: { poolId: 'pool_bench' } } }),
  });
  const response = await handler(request);
  const text = await response.text();
  if (response.status !== 200 || text.includes('"isError":true'))
    throw new Error(`what is measured must be an answer: ${response.status} ${text.slice(0, 300)}`);
}
