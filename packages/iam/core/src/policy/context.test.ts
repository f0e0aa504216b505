import { describe, expect, test } from 'vitest';
import { type FactsOverride, factsOf } from '../test-support/facts.ts';
import { buildContext, type ContextFacts, type ContextValue } from './context.ts';
import { contextReader } from './context-reader.ts';

const read = (key: string, facts: ContextFacts) => contextReader(key)(buildContext(facts));
const delegated: FactsOverride['principal'] = {
  sessionKind: 'delegated',
  mfa: true,
  owner: true,
  rootAdmin: true,
  delegationId: 'dlg_1',
  agentId: 'agent_1',
  agentSponsorId: 'usr_9',
  agentModel: 'm',
  agentProvider: 'p',
  delegationChain: ['agent_0'],
  sessionName: 'night',
  authMethod: 'password',
  authTime: 0,
};

const rows: [string, ContextValue | undefined][] = [
  ['principal.id', 'usr_1'],
  ['principal.tenantId', 'tnt_1'],
  ['principal.kind', 'user'],
  ['principal.sessionKind', 'delegated'],
  ['principal.sessionId', 'ses_1'],
  ['principal.mfa', false],
  ['principal.owner', false],
  ['principal.rootAdmin', false],
  ['principal.groups', ['grp_a', 'grp_b']],
  ['principal.roles', []],
  ['principal.authMethod', 'password'],
  ['principal.authTime', '1970-01-01T00:00:00.000Z'],
  ['principal.tokenIssueTime', '2026-01-01T00:00:00.000Z'],
  ['principal.sessionName', 'night'],
  ['principal.delegated', true],
  ['principal.delegationId', 'dlg_1'],
  ['principal.agentId', 'agent_1'],
  ['principal.agentSponsorId', 'usr_9'],
  ['principal.agentModel', 'm'],
  ['principal.agentProvider', 'p'],
  ['principal.delegationChain', ['agent_0']],
  ['resource.tenantId', 'tnt_1'],
  ['resource.ownerId', 'usr_2'],
  ['resource.parentId', 'box_0'],
  ['resource.gpus', 8],
  ['request.time', '2026-06-15T12:00:00.000Z'],
  ['request.sourceIp', '10.0.0.1'],
  ['app.region', 'eu'],
];
const full = factsOf({
  principal: delegated,
  resource: { ownerId: 'usr_2', parentId: 'box_0', attributes: { gpus: 8 } },
  request: { sourceIp: '10.0.0.1' },
  extra: { 'app.region': 'eu' },
});
test.each(rows)('iam§10.5 %s reads %j', (key, value) => expect(read(key, full)).toEqual(value));

test.each(['principal.authTime', 'principal.agentId', 'principal.delegationId', 'resource.ownerId', 'resource.gpus', 'request.sourceIp', 'app.region'])(
  'iam§10.5 %s is absent where there is none',
  (key) => expect(read(key, factsOf())).toBe(undefined),
);

test.each(['principal.password', 'request.body', 'resource.type', 'resource.a.b', 'resource.toString', 'resource.hasOwnProperty', 'app.toString'])(
  'iam§10.5 %s is no key',
  (key) => expect(read(key, full)).toBe(undefined),
);

test.each(['api-key', 'delegated', 'pat', 'role', 'session-token'] as const)('iam§10.5 no flag of a person is true in a session of kind %s', (sessionKind) => {
  const facts = factsOf({ principal: { sessionKind, mfa: true, owner: true, rootAdmin: true } });
  for (const key of ['principal.mfa', 'principal.owner', 'principal.rootAdmin']) expect(read(key, facts)).toBe(false);
  expect(read('principal.mfa', factsOf({ principal: { mfa: true } }))).toBe(true);
});

test.each(['nowhere', '', '10.0.0', '10.0.0.1, 10.0.0.2', '10.0.0.1:80'])('iam§10.5 a source address %j that does not parse is absent', (sourceIp) =>
  expect(read('request.sourceIp', factsOf({ request: { sourceIp } }))).toBe(undefined),
);

describe('what a deployment may not set', () => {
  const extras = [
    'principal.id',
    'principal.anything',
    'resource.ownerId',
    'resource.x',
    'request.time',
    'request.sourceIp',
    'plain',
    'a.constructor',
    'a.b c',
    '',
    'a..b',
  ];
  test.each(extras)('iam§10.5 an extra key %j fails the decision', (key) => {
    expect(() => buildContext(factsOf({ extra: { [key]: 'x' } }))).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR', details: { path: key } }));
  });
  test('iam§10.5 so does an extra key or an attribute named by the language', () => {
    expect(() => buildContext(factsOf({ extra: JSON.parse('{"__proto__":"x"}') }))).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR' }));
    for (const name of ['__proto__', 'constructor', 'prototype', 'tenantId', 'ownerId', 'parentId', 'relations']) {
      expect(() => buildContext(factsOf({ resource: { attributes: JSON.parse(`{"${name}":"x"}`) } }))).toThrow(
        expect.objectContaining({ code: 'INTERNAL_ERROR' }),
      );
    }
  });
  test.each([null, undefined, {}, Number.NaN, [1], ['a', null], Symbol('x')])('iam§9.1 so does a value of no known type (%s)', (value) => {
    expect(() => buildContext(factsOf({ resource: { attributes: { x: value as never } } }))).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR' }));
    expect(() => buildContext(factsOf({ extra: { 'a.x': value as never } }))).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR' }));
  });
});
