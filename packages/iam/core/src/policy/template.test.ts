import { describe, expect, test } from 'vitest';
import { type FactsOverride, factsOf, setOf } from '../test-support/facts.ts';
import { buildContext } from './context.ts';
import { evaluate } from './evaluate.ts';
import { parseTemplate } from './template.ts';

function reasonOf(statement: object, override: FactsOverride): string {
  const facts = factsOf(override);
  const grants = setOf([statement, ...('effect' in statement && statement.effect === 'deny' ? [{ effect: 'allow', actions: ['*'], resources: ['*'] }] : [])]);
  return evaluate({ grants, ceilings: [] }, { action: 'app:box:read', resource: facts.resource, context: buildContext(facts) }).reason;
}
const on = (resource: string) => ({ effect: 'allow', actions: ['*'], resources: [resource] });
const when = (effect: 'allow' | 'deny', conditions: object) => ({ effect, actions: ['*'], resources: ['*'], conditions });

test.each([
  ['box/${principal.id}', 'usr_1', 'allowed'],
  ['box/${principal.id}', 'usr_2', 'no-grant'],
  ['box/${principal.id}/*', 'usr_1/x', 'allowed'],
  ['box/*-${principal.id}-?', 'a-usr_1-b', 'allowed'],
  ['box/*-${principal.id}-?', 'a-usr_1-', 'no-grant'],
  ['box/${principal.id}${principal.tenantId}', 'usr_1tnt_1', 'allowed'],
  ['*/${principal.id}', 'usr_1', 'allowed'],
  ['bo?/${principal.id}*', 'usr_1z', 'allowed'],
])('iam§10.3 resource %s against the id %s: %s', (pattern, id, reason) => expect(reasonOf(on(pattern), { resource: { id } })).toBe(reason));

test.each(['*', '?', 'u*', '${principal.tenantId}'])('iam§10.3 a variable that brings %j brings text, not wildcards and not another variable', (id) => {
  expect(reasonOf(on('box/${principal.id}'), { principal: { id }, resource: { id } })).toBe('allowed');
  expect(reasonOf(on('box/${principal.id}'), { principal: { id }, resource: { id: 'tnt_1' } })).toBe('no-grant');
  expect(reasonOf(on('box/a${principal.id}*'), { principal: { id }, resource: { id: 'axyz' } })).toBe('no-grant');
  expect(reasonOf(when('allow', { StringLike: { 'resource.x': '${principal.id}*' } }), { principal: { id }, resource: { attributes: { x: 'usr' } } })).toBe(
    'no-grant',
  );
});

describe('a variable that is absent, no text, or half a character', () => {
  const broken: FactsOverride[] = [
    { resource: { attributes: { x: 'a' } } },
    { resource: { attributes: { x: 'a', y: 7 } } },
    { resource: { attributes: { x: 'a', y: true } } },
    { resource: { attributes: { x: 'a', y: ['a'] } } },
    { resource: { attributes: { x: 'a', y: '\ud83d' } } },
  ];
  test.each(broken)('iam§10.3 makes its pattern or value match nothing (%j)', (override) => {
    expect(reasonOf(on('box/*${resource.y}*'), override)).toBe('no-grant');
    for (const operator of ['StringEquals', 'StringLike', 'StringLikeIgnoreCase', 'StringEqualsIgnoreCase']) {
      expect(reasonOf(when('allow', { [operator]: { 'resource.x': '${resource.y}' } }), override)).toBe('no-grant');
      expect(reasonOf(when('deny', { [operator]: { 'resource.x': '${resource.y}' } }), override)).toBe('allowed');
      // The other values still count.
      expect(reasonOf(when('allow', { [operator]: { 'resource.x': ['${resource.y}', 'a'] } }), override)).toBe('allowed');
    }
  });

  test.each(broken)('iam§10.3 under a negated operator never helps an allow and never lames a deny (%j)', (override) => {
    for (const operator of ['StringNotEquals', 'StringNotEqualsIgnoreCase', 'StringNotLike']) {
      for (const values of ['${resource.y}', ['b', '${resource.y}'], ['${resource.y}', 'a']]) {
        expect(reasonOf(when('allow', { [operator]: { 'resource.x': values } }), override)).toBe('no-grant');
        expect(reasonOf(when('deny', { [operator]: { 'resource.x': values } }), override)).toBe('explicit-deny');
        // Whether the tested key itself is there makes no difference.
        expect(reasonOf(when('deny', { [operator]: { 'resource.gone': values } }), override)).toBe('explicit-deny');
      }
    }
  });

  test('iam§10.3 under NotIpAddress neither, and text that is no address counts as unresolved', () => {
    const override: FactsOverride = { request: { sourceIp: '10.0.0.1' }, resource: { attributes: { y: 'nowhere' } } };
    for (const value of ['${resource.gone}', '${resource.y}']) {
      expect(reasonOf(when('allow', { NotIpAddress: { 'request.sourceIp': value } }), override)).toBe('no-grant');
      expect(reasonOf(when('deny', { NotIpAddress: { 'request.sourceIp': value } }), override)).toBe('explicit-deny');
    }
  });

  test('iam§10.3 the rest of a deny must still hold', () => {
    const statement = when('deny', { StringNotEquals: { 'resource.x': '${resource.gone}' }, Bool: { 'principal.mfa': false } });
    expect(reasonOf(statement, { principal: { mfa: true } })).toBe('allowed');
    expect(reasonOf(statement, { principal: { mfa: false } })).toBe('explicit-deny');
  });
});

test('iam§10.3 variables work in dates, addresses and arrays as they do in text', () => {
  const attributes = { until: '2026-07-01T00:00:00Z', net: '10.0.0.0/8', team: 'grp_b' };
  const override: FactsOverride = { request: { sourceIp: '10.9.9.9' }, resource: { attributes } };
  expect(reasonOf(when('allow', { DateBefore: { 'request.time': '${resource.until}' } }), override)).toBe('allowed');
  expect(reasonOf(when('allow', { IpAddress: { 'request.sourceIp': '${resource.net}' } }), override)).toBe('allowed');
  expect(reasonOf(when('allow', { ArrayContains: { 'principal.groups': '${resource.team}' } }), override)).toBe('allowed');
  expect(
    reasonOf(when('allow', { StringLikeIgnoreCase: { 'resource.team': '${resource.TEAM}?*' } }), { resource: { attributes: { team: 'abCd', TEAM: 'AB' } } }),
  ).toBe('allowed');
});

test.each([
  '${',
  '${}',
  '${principal}',
  '${principal.id',
  '${ principal.id}',
  '${principal..id}',
  '${a.__proto__}',
  '${constructor.a}',
  '${${principal.id}}',
  '${a.b-c}',
])('iam§10.3 %j begins no variable', (text) => expect(parseTemplate(text)).toBe(undefined));
test('iam§10.3 a dollar or a brace alone is text', () => expect(parseTemplate('a$b{c}$')).toEqual(['a$b{c}$']));
