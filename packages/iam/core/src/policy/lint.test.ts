import { expect, test } from 'vitest';
import { catalog } from '../test-support/facts.ts';
import { lintPolicy } from './lint.ts';
import { parsePolicy } from './parse.ts';

const lint = (...statements: object[]) => lintPolicy(parsePolicy({ version: 1, statements }, catalog)).map(({ code, path }) => `${code} ${path}`);
const offNet = { effect: 'deny', actions: ['*'], resources: ['*'], conditions: { NotIpAddress: { 'request.sourceIp': '10.0.0.0/8' } } };
const absent = { effect: 'deny', actions: ['*'], resources: ['*'], conditions: { Exists: { 'request.sourceIp': false } } };

test('iam§10.4 a deny on a negated operator is warned of, since it does not bite while the key is absent', () => {
  expect(lint(offNet)).toEqual(['negated-deny-without-exists statements[0].conditions.NotIpAddress["request.sourceIp"]']);
  expect(lint({ ...offNet, effect: 'allow' })).toEqual([]);
});

test('iam§10.4 a second deny with Exists: false that covers it silences the warning, a narrower one does not', () => {
  expect(lint(offNet, absent)).toEqual([]);
  expect(lint(offNet, { ...absent, actions: ['app:box:read'] })).toHaveLength(1);
  expect(lint(offNet, { ...absent, conditions: { ...absent.conditions, Bool: { 'principal.mfa': true } } })).toHaveLength(1);
  expect(lint(offNet, { ...absent, effect: 'allow' })).toHaveLength(1);
});

test('iam§10.4 keys every decision has cannot be left out, so nothing is warned of', () => {
  expect(lint({ ...offNet, conditions: { StringNotEquals: { 'principal.sessionKind': 'user' } } })).toEqual([]);
});

test('iam§10.2 a wildcard in the type is warned of, everything on its own is not', () => {
  const statement = { effect: 'allow', actions: ['*'], resources: ['*', 'box/*', 'box*', 'b?x/1'] };
  expect(lint(statement)).toEqual(['wildcard-in-resource-type statements[0].resources[2]', 'wildcard-in-resource-type statements[0].resources[3]']);
});
