import { describe, expect, test } from 'vitest';
import { catalog } from '../test-support/facts.ts';
import { parsePermissions, parsePolicy } from './parse.ts';

const statement = { effect: 'allow', actions: ['app:box:read'], resources: ['box/*'] };
const withStatement = (change: object) => ({ version: 1, statements: [{ ...statement, ...change }] });
const withConditions = (conditions: unknown) => withStatement({ conditions });
const json = (text: string): unknown => JSON.parse(text);
const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}*`);

test('iam§10.1 a document comes back as it was written, copied and frozen', () => {
  const written = {
    version: 1,
    statements: [
      { sid: 'Own', ...statement, conditions: { StringEquals: { 'resource.ownerId': '${principal.id}' }, NumericLessThan: { 'resource.n': [1, 2] } } },
      { effect: 'deny', actions: ['app:*', '?pp:x'], resources: ['*', 'box*', 'box/${principal.id}/?'] },
    ],
  };
  const input = structuredClone(written);
  const parsed = parsePolicy(input, catalog);
  expect(parsed).toEqual(written);
  expect(parsePolicy(parsed, catalog)).toEqual(parsed);
  input.statements[0]?.actions.push('changed:later');
  expect(parsed.statements[0]?.actions).toEqual(['app:box:read']);
  for (const part of [parsed, parsed.statements, parsed.statements[0], parsed.statements[0]?.conditions, parsed.statements[0]?.conditions?.NumericLessThan])
    expect(Object.isFrozen(part)).toBe(true);
});

const refusals: [string, unknown, string][] = [
  ['null', null, ''],
  ['a list', [], ''],
  ['an instance of a class', new Map(), ''],
  ['another version', { version: 2, statements: [statement] }, 'version'],
  ['a version as text', { version: '1', statements: [statement] }, 'version'],
  ['no statements', { version: 1 }, 'statements'],
  ['an empty list of statements', { version: 1, statements: [] }, 'statements'],
  ['129 statements', { version: 1, statements: Array(129).fill(statement) }, 'statements'],
  ['an unknown member', { version: 1, statements: [statement], id: 'x' }, 'id'],
  ['__proto__ in the document', json('{"version":1,"statements":[],"__proto__":{}}'), '["__proto__"]'],
  ['constructor in a statement', json('{"version":1,"statements":[{"effect":"allow","constructor":1}]}'), 'statements[0]["constructor"]'],
  ['a statement that is text', { version: 1, statements: ['allow'] }, 'statements[0]'],
  ['an unknown member of a statement', withStatement({ principals: ['*'] }), 'statements[0].principals'],
  ['an inherited effect', { version: 1, statements: [{ ...Object.create({ effect: 'allow' }), actions: ['*'], resources: ['*'] }] }, 'statements[0].effect'],
  ['an effect with a capital', withStatement({ effect: 'Allow' }), 'statements[0].effect'],
  ['a sid that is a number', withStatement({ sid: 1 }), 'statements[0].sid'],
  ['an empty sid', withStatement({ sid: '' }), 'statements[0].sid'],
  ['a sid of 129 characters', withStatement({ sid: 's'.repeat(129) }), 'statements[0].sid'],
  ['a sid that stands twice', { version: 1, statements: [{ sid: 'a', ...statement }, statement, { sid: 'a', ...statement }] }, 'statements[2].sid'],
  ['actions as text', withStatement({ actions: 'app:box:read' }), 'statements[0].actions'],
  ['no actions', withStatement({ actions: [] }), 'statements[0].actions'],
  ['129 actions', withStatement({ actions: many(129) }), 'statements[0].actions'],
  ['an action pattern of 513 characters', withStatement({ actions: ['*', 'a'.repeat(512) + '*'] }), 'statements[0].actions[1]'],
  ['a control character in a pattern', withStatement({ actions: ['app:\n*'] }), 'statements[0].actions[0]'],
  ['an invisible character in a pattern', withStatement({ resources: ['box/\u200b*'] }), 'statements[0].resources[0]'],
  ['a lone surrogate in a pattern', withStatement({ resources: ['box/\ud800*'] }), 'statements[0].resources[0]'],
  ['a variable in an action', withStatement({ actions: ['app:${principal.id}:*'] }), 'statements[0].actions[0]'],
  ['129 resources', withStatement({ resources: many(129) }), 'statements[0].resources'],
  ['a resource that is a word', withStatement({ resources: ['box'] }), 'statements[0].resources[0]'],
  ['a variable in the type', withStatement({ resources: ['${principal.kind}/*'] }), 'statements[0].resources[0]'],
  ['a variable before any slash', withStatement({ resources: ['*${principal.kind}'] }), 'statements[0].resources[0]'],
  ['a variable that is none', withStatement({ resources: ['box/${x}'] }), 'statements[0].resources[0]'],
  ['conditions as a list', withConditions([]), 'statements[0].conditions'],
  ['an unknown operator', withConditions({ StringMatches: { 'a.b': 'c' } }), 'statements[0].conditions.StringMatches'],
  ['an operator of the language', withConditions(json('{"__proto__":{"a.b":"c"}}')), 'statements[0].conditions["__proto__"]'],
  ['an operator without keys', withConditions({ StringEquals: {} }), 'statements[0].conditions.StringEquals'],
  ['an operator that is text', withConditions({ StringEquals: 'a' }), 'statements[0].conditions.StringEquals'],
  [
    '65 keys',
    withConditions({ StringEquals: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`a.b${i}`, 'x'])) }),
    'statements[0].conditions.StringEquals',
  ],
  ['a key of one segment', withConditions({ StringEquals: { principal: 'x' } }), 'statements[0].conditions.StringEquals["principal"]'],
  ['a key of the language', withConditions(json('{"StringEquals":{"__proto__":"x"}}')), 'statements[0].conditions.StringEquals["__proto__"]'],
  [
    'a key through the language',
    withConditions({ StringEquals: { 'resource.constructor': 'x' } }),
    'statements[0].conditions.StringEquals["resource.constructor"]',
  ],
  ['no values', withConditions({ StringEquals: { 'a.b': [] } }), 'statements[0].conditions.StringEquals["a.b"]'],
  ['65 values', withConditions({ StringEquals: { 'a.b': Array(65).fill('x') } }), 'statements[0].conditions.StringEquals["a.b"]'],
  ['a value of 2049 characters', withConditions({ StringEquals: { 'a.b': 'x'.repeat(2049) } }), 'statements[0].conditions.StringEquals["a.b"]'],
  ['null as a value', withConditions({ StringEquals: { 'a.b': [null] } }), 'statements[0].conditions.StringEquals["a.b"][0]'],
  ['a number for a string operator', withConditions({ StringLike: { 'a.b': ['x', 1] } }), 'statements[0].conditions.StringLike["a.b"][1]'],
  ['a string for a numeric operator', withConditions({ NumericEquals: { 'a.b': '1' } }), 'statements[0].conditions.NumericEquals["a.b"]'],
  ['a variable for a numeric operator', withConditions({ NumericEquals: { 'a.b': '${resource.n}' } }), 'statements[0].conditions.NumericEquals["a.b"]'],
  ['a number that is not finite', withConditions({ NumericEquals: { 'a.b': Number.POSITIVE_INFINITY } }), 'statements[0].conditions.NumericEquals["a.b"]'],
  ['a string for Bool', withConditions({ Bool: { 'a.b': 'true' } }), 'statements[0].conditions.Bool["a.b"]'],
  ['a string for Exists', withConditions({ Exists: { 'a.b': 'true' } }), 'statements[0].conditions.Exists["a.b"]'],
  ['a date without a zone', withConditions({ DateBefore: { 'a.b': '2026-01-01T00:00:00' } }), 'statements[0].conditions.DateBefore["a.b"]'],
  ['a block that is none', withConditions({ IpAddress: { 'a.b': '10.0.0.0/33' } }), 'statements[0].conditions.IpAddress["a.b"]'],
  ['a variable that is none, in a value', withConditions({ StringLike: { 'a.b': 'x${y' } }), 'statements[0].conditions.StringLike["a.b"]'],
];

test.each(refusals)('iam§10.1 %s is INVALID_POLICY at its path', (_name, document, path) => {
  expect(() => parsePolicy(document, catalog)).toThrow(expect.objectContaining({ code: 'INVALID_POLICY', status: 400, details: { path } }));
});

describe('concrete actions', () => {
  test('iam§10.1 one the catalog lacks is INVALID_ACTION, in a deny too', () => {
    for (const effect of ['allow', 'deny']) {
      expect(() => parsePolicy(withStatement({ effect, actions: ['app:*', 'app:box:reed'] }), catalog)).toThrow(
        expect.objectContaining({ code: 'INVALID_ACTION', details: { path: 'statements[0].actions[1]' } }),
      );
    }
    expect(() => parsePolicy(withStatement({ actions: ['toString'] }), catalog)).toThrow(expect.objectContaining({ code: 'INVALID_ACTION' }));
  });
  test('iam§10.1 patterns with wildcards are not looked up', () => {
    expect(parsePolicy(withStatement({ actions: ['other:*', 'app:box:rea?'] }), catalog).statements[0]?.actions).toEqual(['other:*', 'app:box:rea?']);
  });
});

test('iam§10.4 the caps themselves are let through', () => {
  const keys = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`a.b${index}`, Array(64).fill('x'.repeat(2048))]));
  const full = { ...statement, sid: 's'.repeat(128), actions: many(128), resources: many(128), conditions: { StringEquals: keys } };
  expect(parsePolicy({ version: 1, statements: [full, ...Array(127).fill(statement)] }, catalog).statements).toHaveLength(128);
  expect(parsePolicy(withStatement({ actions: [`${'a'.repeat(511)}*`] }), catalog).statements).toHaveLength(1);
});

test('iam§3.3 a list of permissions is short for one allow on every resource and is checked alike', () => {
  expect(parsePermissions(['app:box:read', 'app:*'], catalog)).toEqual({
    version: 1,
    statements: [{ effect: 'allow', actions: ['app:box:read', 'app:*'], resources: ['*'] }],
  });
  expect(() => parsePermissions(['app:box:reed'], catalog, 'scopes')).toThrow(
    expect.objectContaining({ code: 'INVALID_ACTION', details: { path: 'scopes[0]' } }),
  );
  expect(() => parsePermissions([], catalog, 'scopes')).toThrow(expect.objectContaining({ code: 'INVALID_POLICY', details: { path: 'scopes' } }));
});
