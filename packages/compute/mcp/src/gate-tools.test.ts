import { describe, expect, test } from 'vitest';
import { gateTools } from './index.ts';

const NODE = 'node_AAAAAAAAAAAAAAAAAAAAAA';
const resourceOf = (name: string, args: Record<string, unknown>, options = {}) => {
  const { resource } = gateTools(options)[name]!;
  if (typeof resource !== 'function') throw new Error(`${name} has no rule on its arguments`);
  return resource(args);
};

/** Written apart from the source, from the page's table and its section on the gate. */
const open = ['list_pools', 'capacity_summary', 'release_reservation', 'list_reservations', 'get_reservation', 'extend_reservation'];

test('B129 B137 B138 a tool that names a pool needs to read the pool, one that names a node the node: never the tool’s own action', () => {
  const rules = gateTools();
  for (const name of ['preview_reservation', 'reserve_gpus']) {
    expect(rules[name]!.action).toBe('compute:pools:read');
    expect(resourceOf(name, { poolId: 'pool_h100-fra' })).toEqual({ type: 'compute-pool', id: 'pool_h100-fra' });
  }
  expect(rules.node_status!.action).toBe('compute:nodes:read');
  expect(resourceOf('node_status', { nodeId: NODE })).toEqual({ type: 'compute-node', id: NODE });
  const actions = Object.values(rules).flatMap((rule) => rule.action ?? []);
  for (const action of actions) expect(action).toMatch(/^compute:(pools|nodes|sandboxes):read$|^compute:fleet:admin$/);
});

test('B130 lists and verbs on the caller’s own things are open to any authenticated caller, for compute decides them', () => {
  const rules = gateTools();
  for (const name of open) expect(rules[name], name).toEqual({ public: true });
});

test('B139 typePrefix takes the place of compute-', () => {
  expect(resourceOf('reserve_gpus', { poolId: 'pool_a' }, { typePrefix: 'acme-' })).toEqual({ type: 'acme-pool', id: 'pool_a' });
});

test('iam§19.5 a template is read by its id; without the option that offers it a tool has no rule', () => {
  expect(resourceOf('create_sandbox', { templateId: 'sbxt_python' })).toEqual({ type: 'compute-sandbox-template', id: 'sbxt_python' });
  for (const name of ['exec_command', 'fleet_plan', 'fleet_export']) {
    expect(gateTools()[name], name).toBeUndefined();
    expect(gateTools({ execCommand: true, fleet: true })[name], name).toBeDefined();
  }
});

describe('B135 iam§19.5 a rule throws for an id that is not well formed', () => {
  test.each([undefined, null, 7, {}, ['pool_a'], '', 'a b', 'pool_a/../../x', 'pool_ü', 'pool_a\n', 'p'.repeat(129)])('poolId %j', (poolId) => {
    expect(() => resourceOf('reserve_gpus', { poolId })).toThrow();
  });

  test.each(['node_short', 'pool_AAAAAAAAAAAAAAAAAAAAAA', `${NODE}A`, `${NODE}\n`, 'node_AAAAAAAAAAAAAAAAAAAAA/'])('nodeId %j', (nodeId) => {
    expect(() => resourceOf('node_status', { nodeId })).toThrow();
  });

  test.each([undefined, 'sbxt_', 'pool_a', 'sbxt_a b', 'sbxt_ü', `sbxt_${'a'.repeat(123)}`])('templateId %j', (templateId) => {
    expect(() => resourceOf('create_sandbox', { templateId })).toThrow();
  });

  test('a missing nodeId', () => {
    expect(() => resourceOf('node_status', {})).toThrow();
  });

  test('an inherited member is no argument', () => {
    expect(() => resourceOf('reserve_gpus', Object.create({ poolId: 'pool_a' }) as Record<string, unknown>)).toThrow();
  });

  test('the longest accepted pool id is 128 characters', () => {
    expect(resourceOf('reserve_gpus', { poolId: 'p'.repeat(128) }).id).toHaveLength(128);
  });
});
