import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { allowAll, catalog, factsOf, setOf } from '../test-support/facts.ts';
import { buildContext, type ContextValue } from './context.ts';
import { evaluate, type PolicySets } from './evaluate.ts';

const ask = (sets: PolicySets, attributes: Record<string, ContextValue> = {}, action = 'app:box:read', type = 'box') => {
  const facts = factsOf({ resource: { type, attributes } });
  return evaluate(sets, { action, resource: facts.resource, context: buildContext(facts) });
};
const deny = { sid: 'no', effect: 'deny', actions: ['app:box:*'], resources: ['box/*'] };
const silent = { sid: 'other', effect: 'allow', actions: ['app:jar:read'], resources: ['*'] };

test('iam§10.6 silence is no grant', () => {
  expect(ask({ grants: setOf(), ceilings: [] })).toEqual({ effect: 'deny', reason: 'no-grant', matched: [], step: 8 });
  expect(ask({ grants: setOf([silent]), ceilings: [setOf([allowAll])] })).toMatchObject({ effect: 'deny', reason: 'no-grant' });
});

test('iam§10.6 an allow of any document of the grants is a grant and is named', () => {
  expect(ask({ grants: setOf([silent], [allowAll]), ceilings: [] })).toEqual({
    effect: 'allow',
    reason: 'allowed',
    matched: ['all'],
    by: { set: 'grants', kind: 'policy', id: 'pol_1', sid: 'all' },
    step: 9,
  });
  const { sid: _, ...unnamed } = allowAll;
  expect(ask({ grants: setOf([silent, unnamed]), ceilings: [] }).matched).toEqual(['statements[1]']);
});

test('iam§10.6 a deny wins wherever it stands', () => {
  const everywhere: PolicySets[] = [
    { grants: setOf([allowAll, deny]), ceilings: [] },
    { grants: setOf([deny, allowAll]), ceilings: [] },
    { grants: setOf([allowAll], [deny]), ceilings: [setOf([allowAll])] },
    { grants: setOf([allowAll]), ceilings: [setOf([allowAll]), setOf([allowAll, deny])] },
    { grants: setOf([silent]), ceilings: [setOf([deny])] },
  ];
  for (const sets of everywhere) expect(ask(sets)).toMatchObject({ effect: 'deny', reason: 'explicit-deny', matched: [], by: { sid: 'no' }, step: 7 });
});

test('iam§10.6 every ceiling must allow by itself, none of them grants', () => {
  const grants = setOf([allowAll]);
  expect(ask({ grants, ceilings: [setOf([allowAll]), setOf([silent])] })).toEqual({
    effect: 'deny',
    reason: 'boundary-deny',
    matched: [],
    by: { set: 1, kind: 'policy', id: 'pol_0' },
    step: 9,
  });
  expect(ask({ grants, ceilings: [setOf()] })).toMatchObject({ reason: 'boundary-deny', by: { set: 0 } });
  expect(ask({ grants, ceilings: [setOf([silent], [allowAll])] })).toMatchObject({ reason: 'allowed' });
  expect(ask({ grants: setOf([silent]), ceilings: [setOf([allowAll])] })).toMatchObject({ reason: 'no-grant' });
});

// Each condition value costs its real work: about 200 steps per code point of the value, in every statement.
const hostile = { effect: 'allow', actions: ['*'], resources: ['*'], conditions: { StringLike: { 'resource.x': `*${'a?'.repeat(200)}b*` } } };
const long = { x: 'a'.repeat(10_000) };

test('iam§10.6 running out of steps denies, whatever would have come after', () => {
  const exhausting = Array.from({ length: 20 }, () => hostile);
  expect(ask({ grants: setOf([...exhausting, allowAll]), ceilings: [] }, { x: 'a' })).toMatchObject({ reason: 'allowed' });
  const unlimited = setOf([...exhausting, { ...allowAll, conditions: { Exists: { 'resource.x': true } } }]);
  expect(ask({ grants: unlimited, ceilings: [] }, { x: 'a' })).toMatchObject({ reason: 'allowed' });
  expect(ask({ grants: unlimited, ceilings: [] }, long)).toEqual({ effect: 'deny', reason: 'evaluation-limit', matched: [], step: 8 });
  expect(ask({ grants: setOf([allowAll]), ceilings: [unlimited] }, long)).toMatchObject({ reason: 'evaluation-limit', step: 9 });
  expect(
    ask(
      {
        grants: setOf(
          [allowAll],
          exhausting.map((statement) => ({ ...statement, effect: 'deny' })),
        ),
        ceilings: [],
      },
      long,
    ),
  ).toMatchObject({ reason: 'evaluation-limit', step: 7 });
});

test('iam§23 the steps of one decision are shared by all its sets', () => {
  const some = setOf([...Array.from({ length: 4 }, () => hostile), { ...allowAll, conditions: { Exists: { 'resource.x': true } } }]);
  expect(limits.evaluationStepsMax).toBe(4_000_000);
  expect(ask({ grants: some, ceilings: [] }, { x: 'a'.repeat(3000) })).toMatchObject({ reason: 'allowed' });
  expect(ask({ grants: some, ceilings: [some, some, some] }, { x: 'a'.repeat(3000) })).toMatchObject({ reason: 'evaluation-limit' });
});

test('iam§10.6 finding the rules of an action is bounded too, and answers alike the first and the second time', () => {
  const actions = Array.from({ length: 128 }, (_, index) => `*${'?'.repeat(200)}${index}*`);
  const set = setOf(...Array.from({ length: 8 }, () => Array.from({ length: 128 }, () => ({ effect: 'deny', actions, resources: ['*'] }))));
  const action = 'a'.repeat(100_000);
  for (let round = 0; round < 2; round++) expect(ask({ grants: setOf([allowAll]), ceilings: [set] }, {}, action)).toMatchObject({ reason: 'evaluation-limit' });
});

test('iam§10.6 rules are kept for what the catalog knows and for nothing else', () => {
  const set = setOf([allowAll]);
  for (const [action, type] of [
    ['app:box:read', 'box'],
    ['iam:audit:read', 'iam'],
  ] as const)
    expect(set.rulesFor(action, type)).toBe(set.rulesFor(action, type));
  for (const [action, type] of [
    ['made:up', 'box'],
    ['app:box:read', 'made-up'],
    ['app:box:read', 'toString'],
  ] as const)
    expect(set.rulesFor(action, type)).not.toBe(set.rulesFor(action, type));
  expect(catalog.actions.has('made:up')).toBe(false);
  expect(ask({ grants: set, ceilings: [] }, {}, 'made:up', 'made-up')).toMatchObject({ reason: 'allowed' });
});

test('iam§10.2 a pattern without a slash reaches types that begin alike', () => {
  const grants = setOf([{ effect: 'allow', actions: ['*'], resources: ['box*'] }]);
  expect(ask({ grants, ceilings: [] }, {}, 'app:box:read', 'box-x')).toMatchObject({ reason: 'allowed' });
  expect(ask({ grants, ceilings: [] }, {}, 'app:box:read', 'jar')).toMatchObject({ reason: 'no-grant' });
});
