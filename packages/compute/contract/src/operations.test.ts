import { commandOf, openApiOf, parseWith } from '@kit/operation';
import { expect, test } from 'vitest';
import { actions } from './actions.ts';
import { computeService, operations } from './operations.ts';
import { computeCatalog, type ResourceType, resourceTypes } from './resource-types.ts';

test('compute§3.3 every operation says what it does, shows an example that its own schema takes, and is a route and, unless it is about a file, a verb', () => {
  const paths = Object.keys(openApiOf(computeService, { title: 'compute', version: '0' }).paths as object);
  const verbs: string[] = [];
  for (const op of operations) {
    expect(op.examples.length, op.id).toBeGreaterThan(0);
    for (const example of op.examples) expect(() => parseWith(op.input, example.input), op.id).not.toThrow();
    expect(paths).toContain(`/api/compute/${op.id.replace('.', '/')}`);
    const command = commandOf(op);
    if (command) verbs.push(command.path.join(' '));
    for (const option of command ? [...command.positional, ...command.options] : []) expect(option.description, `${op.id} ${option.flag}`).not.toBe('');
  }
  expect(new Set(verbs).size).toBe(verbs.length);
  expect(operations.filter((op) => op.command === false).map((op) => op.id)).toEqual(['fleet.export', 'fleet.plan', 'fleet.apply']);
});

test('compute§3.2 the catalog carries every action once, and types under the prefix of the deployment', () => {
  expect(computeCatalog().actions).toEqual(actions);
  const onTypes = Object.values(resourceTypes).flatMap((type) => type.actions as readonly string[]);
  expect([...new Set(onTypes)].sort()).toEqual([...actions].sort());
  expect(Object.keys(computeCatalog({ typePrefix: 'acme-' }).resourceTypes)).toContain('acme-sandbox-template');
  expect(Object.keys(computeCatalog().resourceTypes).sort()).toEqual(
    ['batch', 'command', 'fleet', 'image', 'instance', 'node', 'pool', 'reservation', 'sandbox', 'sandbox-template', 'snapshot', 'tenant', 'volume'].map(
      (t) => `compute-${t}`,
    ),
  );
});

test('iam§9.1 every action is one of the type of resource its operation is decided on, so that it can be asked for there', () => {
  // a token is decided on as its pool
  const typeOf = (on: NonNullable<(typeof operations)[number]['on']>): ResourceType =>
    'type' in on ? (on.type === 'node-token' ? 'pool' : (on.type as ResourceType)) : on.kind;
  for (const op of operations) {
    if (!op.on) continue;
    const asked = op.actionBy ? Object.values(op.actionBy.actions) : [op.action];
    for (const action of asked) expect(resourceTypes[typeOf(op.on)].actions as readonly unknown[], op.id).toContain(action);
  }
});

test('compute§2.1 the statuses of the codes are those of the sheet', () => {
  expect(computeService.codes).toMatchObject({
    CONFIRMATION_REQUIRED: 403,
    NO_CAPACITY: 409,
    NEVER_FITS: 409,
    QUOTA_EXCEEDED: 409,
    CONFLICT: 409,
    INVALID_STATE: 409,
  });
  expect(computeService.codes).toMatchObject({
    RATE_LIMITED: 429,
    NODE_UNREACHABLE: 503,
    UNAVAILABLE: 503,
    VERSION_CONFLICT: 409,
    INVALID_INPUT: 400,
    NOT_FOUND: 404,
  });
});
