import { expect, test } from 'vitest';
import { type CatalogOptions, createCatalog, isAskedOn } from './catalog.ts';

const options: CatalogOptions = {
  actions: ['compute:pools:read', 'app:go'],
  resourceTypes: {
    'compute-pool': { actions: ['compute:pools:read'], attributes: { kind: 'string', gpuProducts: 'string[]' } },
    'compute-node': { parent: 'compute-pool' },
  },
  iamActions: ['iam:audit:read'],
};

test('iam§9.1 a catalog has the application actions, the iam family and the built-in type iam', () => {
  const catalog = createCatalog(options);
  expect([...catalog.actions]).toEqual(['compute:pools:read', 'app:go', 'iam:audit:read']);
  expect(Object.keys(catalog.resourceTypes)).toEqual(['compute-pool', 'compute-node', 'iam']);
  expect(Object.getPrototypeOf(catalog.resourceTypes)).toBe(null);
});

const breaches: [string, CatalogOptions, string][] = [
  ['an action of one segment', { ...options, actions: ['go'] }, 'actions[0]'],
  ['an action of four segments', { ...options, actions: ['a:b:c:d'] }, 'actions[0]'],
  ['a wildcard in an action', { ...options, actions: ['a:*'] }, 'actions[0]'],
  ['a space in an action', { ...options, actions: ['a:b c'] }, 'actions[0]'],
  ['an application action in the iam family', { ...options, actions: ['iam:audit:read'] }, 'actions[0]'],
  ['an action under tenant/', { ...options, actions: ['tenant/a:b'] }, 'actions[0]'],
  ['an action that stands twice', { ...options, actions: ['a:b', 'a:b'] }, 'actions[1]'],
  ['an iam action outside the family', { ...options, iamActions: ['a:b'] }, 'iamActions[0]'],
  ['a type with a capital letter', { ...options, resourceTypes: { Pool: {} } }, 'resourceTypes["Pool"]'],
  ['a type named by the language', { ...options, resourceTypes: { constructor: {} } as never }, 'resourceTypes["constructor"]'],
  ['the built-in type', { ...options, resourceTypes: { iam: {} } }, 'resourceTypes["iam"]'],
  ['an unknown action of a type', { ...options, resourceTypes: { a: { actions: ['x:y'] } } }, 'resourceTypes["a"].actions[0]'],
  ['an attribute of the server', { ...options, resourceTypes: { a: { attributes: { ownerId: 'string' } } } }, 'resourceTypes["a"].attributes["ownerId"]'],
  [
    'an attribute named by the language',
    { ...options, resourceTypes: { a: { attributes: JSON.parse('{"__proto__":"string"}') } } },
    'resourceTypes["a"].attributes["__proto__"]',
  ],
  ['an attribute of no known type', { ...options, resourceTypes: { a: { attributes: { x: 'object' as never } } } }, 'resourceTypes["a"].attributes["x"]'],
  ['a parent that is no type', { ...options, resourceTypes: { a: { parent: 'toString' } } }, 'resourceTypes["a"].parent'],
];

test.each(breaches)('iam§9.1 %s is refused by name', (_name, broken, path) => {
  expect(() => createCatalog(broken)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', details: { path: `permissions.${path}` } }));
});

test.each([
  ['compute:pools:read', 'compute-pool', true],
  ['app:go', 'compute-pool', false],
  ['iam:audit:read', 'iam', true],
  ['app:go', 'iam', false],
  ['app:go', 'compute-node', true],
  ['app:go', 'toString', true],
])('iam§9.1 whether %s is ever asked on %s', (action, type, isAsked) => {
  expect(isAskedOn(createCatalog(options), action, type)).toBe(isAsked);
});
