import { operations } from '@better-compute/contract';
import type { Operation } from '@kit/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { codeOf, refusalFrom } from '../testing/code-of.ts';
import { PLATFORM, TENANT, type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

type Input = Record<string, unknown>;
/** Two inputs that differ in that argument alone and would do different things. */
type Pairs = Record<string, readonly [Input, Input]>;

let plane: TestPlane;
let agent: TestClient;
/** The fleet is the root organization's. */
let inRoot: TestClient;
const POOLS = ['pool_cards-a', 'pool_cards-b'] as const;
const [poolId, otherPool] = POOLS;
let nodes: string[];
let drained: string[];
let tokens: string[];
let reservations: string[];

beforeAll(async () => {
  plane = await testPlane();
  for (const id of POOLS) await plane.pool({ id, name: id, operators: [TENANT] });
  const kind = (product: string, model: string, zone: string) => plane.nodes(1, { poolId, product, model, labels: { zone, rack: zone } });
  nodes = [...(await kind('P1', 'M1', 'x')), ...(await kind('P1', 'M2', 'y')), ...(await kind('P2', 'M1', 'x'))];
  drained = await plane.nodes(2, { poolId: otherPool });
  const ops = plane.as({ identityId: 'usr_ops' });
  for (const nodeId of drained) await ops.nodes.drain({ nodeId });
  const book = async () => (await ops.reservations.create({ poolId, requests: [{ class: 'gpu', count: 1 }], duration: '1h' })).reservation.id;
  reservations = [await book(), await book()];
  const mint = async () => (await ops.nodeTokens.create({ poolId })).token.id;
  tokens = [await mint(), await mint()];
  const holds = new Set(operations.flatMap((op) => (op.actionBy ? Object.values(op.actionBy.actions) : [op.action!])));
  const delegated = { identityId: 'usr_ops', agentId: 'agent_1', delegationId: 'dlg_1', sessionKind: 'delegated' as const, holds };
  agent = plane.as(delegated);
  inRoot = plane.as({ ...delegated, tenantId: PLATFORM });
});
afterAll(() => plane.close());

const part = (more: object = {}) => ({ class: 'gpu', count: 2, ...more });
const ask = (more: object = {}, onPart: object = {}): Input => ({ poolId, requests: [part(onPart)], duration: '8h', ...more });
const where = (more: object = {}) => ask({}, { selector: [{ key: 'zone', op: 'In', values: ['x'], ...more }] });
const at = 1_800_003_600_000;

const pairsOf = (): Record<string, Pairs> => {
  const node = { nodeId: [{ nodeId: nodes[0] }, { nodeId: nodes[1] }] } as const;
  return {
    'reservations.create': {
      poolId: [ask({}, { count: 1 }), ask({ poolId: otherPool }, { count: 1 })],
      'requests[].count': [ask(), ask({}, { count: 3 })],
      'requests[].model': [ask({}, { product: 'P1', model: 'M1' }), ask({}, { product: 'P1', model: 'M2' })],
      'requests[].product': [ask({}, { product: 'P1', model: 'M1' }), ask({}, { product: 'P2', model: 'M1' })],
      'requests[].nvlink': [ask(), ask({}, { nvlink: true })],
      'requests[].selector[].key': [where(), where({ key: 'rack' })],
      'requests[].selector[].op': [where(), where({ op: 'NotIn' })],
      'requests[].selector[].values[]': [where(), where({ values: ['y'] })],
      'resources.vcpu': [ask(), ask({ resources: { vcpu: 1 } })],
      'resources.memoryGiB': [ask(), ask({ resources: { memoryGiB: 1 } })],
      duration: [ask(), ask({ duration: '9h' })],
      startsAt: [ask({ startsAt: at }), ask({ startsAt: at + 60_000 })],
      wholeNodes: [ask({}, { count: 8 }), ask({ wholeNodes: true }, { count: 8 })],
      spot: [ask(), ask({ spot: true })],
      // which part it is of
      'requests[].selector[]': [
        ask({ requests: [part({ selector: [{ key: 'zone', op: 'Exists' }] }), part()] }),
        ask({ requests: [part(), part({ selector: [{ key: 'zone', op: 'Exists' }] })] }),
      ],
    },
    'reservations.extend': {
      reservationId: [
        { reservationId: reservations[0], by: '1h' },
        { reservationId: reservations[1], by: '1h' },
      ],
      by: [
        { reservationId: reservations[0], by: '1h' },
        { reservationId: reservations[0], by: '2h' },
      ],
    },
    'reservations.release': { reservationId: [{ reservationId: reservations[0] }, { reservationId: reservations[1] }] },
    'nodes.drain': node,
    'nodes.undrain': { nodeId: [{ nodeId: drained[0] }, { nodeId: drained[1] }] },
    'nodes.remove': node,
    'nodeTokens.create': {
      poolId: [{ poolId }, { poolId: otherPool }],
      uses: [{ poolId }, { poolId, uses: 2 }],
      expires: [{ poolId }, { poolId, expires: '2h' }],
    },
    'nodeTokens.revoke': { tokenId: [{ tokenId: tokens[0] }, { tokenId: tokens[1] }] },
    'commands.run': {
      nodeId: [
        { nodeId: nodes[0], kind: 'diag.nvml' },
        { nodeId: nodes[1], kind: 'diag.nvml' },
      ],
      kind: [
        { nodeId: nodes[0], kind: 'diag.nvml' },
        { nodeId: nodes[0], kind: 'inventory.refresh' },
      ],
      'args.lines': [
        { nodeId: nodes[0], kind: 'logs.collect', args: { lines: 10 } },
        { nodeId: nodes[0], kind: 'logs.collect', args: { lines: 1000 } },
      ],
    },
    // a file is read from its plan, which its hash stands for
    'fleet.apply': {
      planHash: [
        { config: { version: 1 }, planHash: '0'.repeat(64) },
        { config: { version: 1 }, planHash: '1'.repeat(64) },
      ],
    },
  };
};

/** Arguments of which no value gets as far as a person, or that stand in another. */
const UNSEEN: Record<string, string[]> = {
  'reservations.create': ['binding', 'requests[].class'],
  'commands.run': ['batchId'],
  'fleet.apply': ['config'],
};
/** Whom and how a call is made for, and the words that are shown apart. */
const OF_THE_CALL = ['tenantId', 'idempotencyKey', 'note', 'wait'];

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };
function* leaves(schema: Schema, path = ''): Iterable<string> {
  const inner = schema.anyOf?.find((one) => one.properties ?? one.items) ?? schema;
  if (inner.items) yield* leaves(inner.items, `${path}[]`);
  else if (inner.properties && path !== 'config')
    for (const [name, member] of Object.entries(inner.properties)) yield* leaves(member, path === '' ? name : `${path}.${name}`);
  else yield path;
}
const argumentsOf = (op: Operation): string[] =>
  [...leaves(z.toJSONSchema(op.input, { io: 'input' }) as Schema)].filter((path) => !OF_THE_CALL.includes(path.split(/[.[]/)[0]!));

async function cardFor(id: string, input: Input): Promise<string> {
  const [group, method] = id.split('.') as ['reservations', 'create'];
  const refusal = await refusalFrom((id === 'fleet.apply' ? inRoot : agent)[group][method](input as never));
  expect(refusal.code, `${id} ${JSON.stringify(input)}`).toBe('CONFIRMATION_REQUIRED');
  const filed = (await plane.iam.confirmations()).find((one) => one.id === refusal.details.confirmationId)!;
  const { summary, facts } = filed.resource.confirmation!;
  return JSON.stringify([summary, facts]);
}

test('iam§18 what the person reads changes with every argument of every operation that can be held', async () => {
  const pairs = pairsOf();
  const held = operations.filter((op) => op.effect !== 'read' && op.id in pairs) as readonly Operation[];
  for (const op of held) {
    const unseen = UNSEEN[op.id] ?? [];
    expect(
      argumentsOf(op).filter((path) => !(path in pairs[op.id]!) && !unseen.includes(path)),
      op.id,
    ).toEqual([]);
    for (const [path, [one, other]] of Object.entries(pairs[op.id]!))
      expect(await cardFor(op.id, one), `${op.id} ${path}`).not.toBe(await cardFor(op.id, other));
  }
});

test('iam§18 no other operation with an effect gets as far as asking a person', async () => {
  const pairs = pairsOf();
  const others = operations.filter((op) => op.effect !== 'read' && !(op.id in pairs));
  expect(others.length).toBeGreaterThan(10);
  for (const op of others)
    for (const { input } of op.examples) {
      const [group, method] = op.id.split('.') as ['reservations', 'create'];
      const given = 'poolId' in input ? { ...input, poolId } : input;
      expect(await codeOf(agent[group][method](given as never)), op.id).not.toBe('CONFIRMATION_REQUIRED');
    }
});

test('iam§18 a read that is held back says all it was asked', async () => {
  const one = await cardFor('capacity.calendar', { poolId, from: at, to: at + 86_400_000 });
  expect(one).toContain(String(at));
  expect(await cardFor('capacity.calendar', { poolId, from: at, to: at + 2 * 86_400_000 })).not.toBe(one);
});
