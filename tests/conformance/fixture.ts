import type { ComputeClient, ComputeTool } from '@better-compute/client';
import { serverOf } from '@better-compute/mcp/testing';
import { createMcpGate, type McpIam } from '@better-iam/mcp';
import { createHandler, listen, type Listening } from '@kit/http';
import { ApiError, createClient, operationForm, service, toolsOf } from '@kit/operation';
import { z } from 'zod';

/** Tools by the names the official suite calls, declared as all of ours are, over the same gate, transport and revisions. */
const operation = operationForm<'NOT_READY', 'fixture:tools:use'>();
const hints = { readOnly: true, destructive: false, idempotent: false };
const tool = (name: string, description: string) => ({ name, description, hints, onHold: 'error' as const, gate: 'any' as const });

const simpleText = operation({
  id: 'fixtures.simpleText',
  summary: 'Say something.',
  effect: 'read',
  output: { text: z.string() },
  tool: tool('test_simple_text', 'Answers a text.'),
});
const fail = operation({
  id: 'fixtures.fail',
  summary: 'Refuse.',
  effect: 'read',
  output: { text: z.string() },
  errors: ['NOT_READY'],
  tool: tool('test_error_handling', 'Always refuses.'),
});
const add = operation({
  id: 'fixtures.add',
  summary: 'Add two numbers.',
  effect: 'read',
  input: { a: z.number(), b: z.number().optional() },
  output: { sum: z.number() },
  tool: tool('add', 'Adds two numbers.'),
});
/** A tool whose action a person has held back, as `reserve_gpus`. */
const held = (id: `fixtures.${string}`, name: string) =>
  operation({
    id,
    summary: 'Act, once a person has approved.',
    effect: 'write',
    key: 'mint',
    canBeHeld: true,
    output: { text: z.string() },
    tool: { ...tool(name, 'Acts once a person has approved.'), onHold: 'result' },
  });
const fixtures = service({
  name: 'fixture',
  basePath: '/api/fixture',
  codes: { NOT_READY: 409, CONFIRMATION_REQUIRED: 403 },
  operations: [
    simpleText,
    fail,
    add,
    held('fixtures.heldElicitation', 'test_input_required_result_elicitation'),
    held('fixtures.heldState', 'test_input_required_result_request_state'),
    held('fixtures.heldTampered', 'test_input_required_result_tampered_state'),
    held('fixtures.heldRounds', 'test_input_required_result_multi_round'),
  ],
  bodyBytesMax: 1_000_000,
});

const answers: Record<string, (input: Record<string, unknown>) => unknown> = {
  'fixtures.simpleText': () => ({ text: 'This is a simple text response for testing.' }),
  'fixtures.fail': () => {
    throw new ApiError('NOT_READY', 409, 'This tool intentionally returns an error for testing');
  },
  'fixtures.add': ({ a, b }) => ({ sum: Number(a) + Number(b ?? 0) }),
};

/** How often a person is asked before they have decided, by operation. */
const asked: Record<string, number> = { 'fixtures.heldRounds': 2 };

/** People who approve when they have been asked often enough, and what waits for them. */
function createApprovals() {
  const looks = new Map<string, { id: string; left: number }>();
  return {
    /** Throws while the person has not decided. */
    act(operationId: string, key: string) {
      const open = looks.get(key) ?? { id: `cnf_${looks.size + 1}`, left: asked[operationId] ?? 1 };
      looks.set(key, open);
      if (open.left === 0) return { text: 'state-ok' };
      const details = { confirmationId: open.id, summary: 'Act', approvalUrl: `https://fixture.example/approvals/${open.id}` };
      throw new ApiError('CONFIRMATION_REQUIRED', 403, 'A person must approve this.', { details });
    },
    /** Each look is one more time the person was asked. */
    state(confirmationId: string): 'pending' | 'approved' {
      const open = [...looks.values()].find(({ id }) => id === confirmationId);
      if (!open) throw new TypeError('unknown');
      return --open.left === 0 ? 'approved' : 'pending';
    },
  };
}

export const TOKEN = 'tok_fixture';

const iam: McpIam = {
  async authenticate({ token }) {
    if (token !== TOKEN) throw Object.assign(new Error('no'), { status: 401, code: 'UNAUTHENTICATED' });
    return { identity: { id: 'usr_a', tenantId: 'tnt_a', kind: 'user' }, session: { id: 'ses_a', tenantId: 'tnt_a', kind: 'user' } };
  },
  authorize: async () => ({ allowed: true, reason: 'ALLOWED' }),
  authorizeMany: async ({ checks }) => ({ results: checks.map(() => ({ allowed: true })) }),
};

export interface Fixture {
  url: string;
  /** Names of the tools that ran. */
  ran: string[];
  close(): Promise<void>;
}

/** `origin`: where clients believe it is. */
export async function startFixture(o: { origin?: string } = {}): Promise<Fixture> {
  const ran: string[] = [];
  const approvals = createApprovals();
  const handler = createHandler({
    service: fixtures,
    title: 'Fixtures',
    version: '1',
    async invoke({ id }, input) {
      ran.push(id);
      return Object.hasOwn(answers, id) ? answers[id]!(input) : approvals.act(id, String(input.idempotencyKey));
    },
  });
  const client = createClient(fixtures, { baseURL: 'http://fixture.invalid', fetch: handler, token: TOKEN });
  const tools = fixtures.operations.flatMap((op) =>
    toolsOf(op).map((own): ComputeTool => ({ ...own, callOf: (args) => ({ operation: own.operation, input: own.toInput(args) }) })),
  );
  const mcp = serverOf(
    {
      client: client as unknown as ComputeClient,
      confirmations: () => ({ state: approvals.state, timeoutMs: 0 }),
      stateSecret: 'a secret of the fixtures, longer than 32 characters',
    },
    tools,
  );
  let gate: ReturnType<typeof createMcpGate> | undefined;
  const listening: Listening = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => gate!(request, mcp.handler) });
  const origin = o.origin ?? `http://127.0.0.1:${listening.port}`;
  gate = createMcpGate({
    iam,
    tenantId: 'tnt_a',
    tools: Object.fromEntries(tools.map(({ entry }) => [entry.name, { public: true }])),
    confirmations: false,
    allowedOrigins: [origin],
  });
  return { url: `http://127.0.0.1:${listening.port}/mcp`, ran, close: () => listening.drain(0) };
}
