import { describe, expect, test } from 'vitest';
import { catalog, factsOf, setOf } from '../test-support/facts.ts';
import { buildContext, type ContextValue } from './context.ts';
import { operatorNames } from './document.ts';
import { evaluate } from './evaluate.ts';
import { parsePolicy } from './parse.ts';

/** Whether a statement of this effect with `{ [operator]: { 'resource.x': values } }` applies while the attribute `x` is `actual` (absent: undefined). */
function applies(effect: 'allow' | 'deny', operator: string, actual: ContextValue | undefined, values: unknown): boolean {
  const statement = { effect, actions: ['*'], resources: ['*'], conditions: { [operator]: { 'resource.x': values } } };
  const grants = effect === 'allow' ? setOf([statement]) : setOf([statement, { effect: 'allow', actions: ['*'], resources: ['*'] }]);
  const facts = factsOf({ resource: { attributes: actual === undefined ? {} : { x: actual } } });
  const { reason } = evaluate({ grants, ceilings: [] }, { action: 'app:box:read', resource: facts.resource, context: buildContext(facts) });
  return effect === 'allow' ? reason === 'allowed' : reason === 'explicit-deny';
}

type Row = [operator: string, actual: ContextValue | undefined, values: unknown, isApplying: boolean];

const rows: Row[] = [
  ['StringEquals', 'a', 'a', true],
  ['StringEquals', 'a', 'A', false],
  ['StringEquals', 'a*', 'a*', true],
  ['StringEquals', 'abc', 'a*', false],
  ['StringEquals', 'b', ['a', 'b'], true],
  ['StringEquals', 'c', ['a', 'b'], false],
  ['StringEquals', '', '', true],
  ['StringNotEquals', 'a', 'b', true],
  ['StringNotEquals', 'a', 'a', false],
  ['StringNotEquals', 'c', ['a', 'b'], true],
  ['StringNotEquals', 'b', ['a', 'b'], false],
  ['StringEqualsIgnoreCase', 'PROD', 'prod', true],
  ['StringEqualsIgnoreCase', 'É', 'é', true],
  ['StringEqualsIgnoreCase', 'prod', 'dev', false],
  ['StringNotEqualsIgnoreCase', 'PROD', 'prod', false],
  ['StringNotEqualsIgnoreCase', 'dev', ['prod', 'test'], true],
  ['StringNotEqualsIgnoreCase', 'TEST', ['prod', 'test'], false],
  ['StringLike', 'prod-1', 'prod-*', true],
  ['StringLike', 'Prod-1', 'prod-*', false],
  ['StringLike', 'p😀d', 'p?d', true],
  ['StringLike', 'dev', ['prod*', 'd?v'], true],
  ['StringNotLike', 'prod-1', 'prod-*', false],
  ['StringNotLike', 'dev', ['prod*', 'test*'], true],
  ['StringNotLike', 'test1', ['prod*', 'test*'], false],
  ['StringLikeIgnoreCase', 'PROD-1', 'prod-*', true],
  ['StringLikeIgnoreCase', 'prod-1', 'PROD-?', true],
  ['StringLikeIgnoreCase', 'dev', 'PROD-*', false],
  // Its lower case is two code points, and a sigma's depends on what stands beside it: folding must not change what ? counts.
  ['StringLikeIgnoreCase', 'aİb', 'A?B', true],
  ['StringLikeIgnoreCase', 'ΟΔΟΣ', 'οδοσ', true],
  ['StringEqualsIgnoreCase', 'ΟΔΟΣ', 'οδοσ', true],
  ['Bool', true, true, true],
  ['Bool', false, true, false],
  ['Bool', false, [true, false], true],
  ['NumericEquals', 8, 8, true],
  ['NumericEquals', 8, 9, false],
  ['NumericEquals', 0, -0, true],
  ['NumericEquals', 8, [1, 8], true],
  ['NumericNotEquals', 8, 9, true],
  ['NumericNotEquals', 8, 8, false],
  ['NumericNotEquals', 8, [7, 8], false],
  ['NumericLessThan', 7, 8, true],
  ['NumericLessThan', 8, 8, false],
  ['NumericLessThan', 9, [8, 10], true],
  ['NumericLessThanEquals', 8, 8, true],
  ['NumericLessThanEquals', 8.5, 8, false],
  ['NumericGreaterThan', 9, 8, true],
  ['NumericGreaterThan', 8, 8, false],
  ['NumericGreaterThanEquals', 8, 8, true],
  ['NumericGreaterThanEquals', 7, 8, false],
  ['DateBefore', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', true],
  ['DateBefore', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', false],
  ['DateBefore', '2026-01-01T00:30:00+01:00', '2026-01-01T00:00:00Z', true],
  ['DateAfter', '2026-01-01T00:00:01Z', '2026-01-01T00:00:00Z', true],
  ['DateAfter', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', false],
  ['DateAfter', '2026-01-01T00:00Z', ['2027-01-01T00:00Z', '2025-01-01T00:00Z'], true],
  ['DateAfter', '2026-01-01', '2025-01-01T00:00Z', false],
  ['IpAddress', '10.1.2.3', '10.0.0.0/8', true],
  ['IpAddress', '11.1.2.3', '10.0.0.0/8', false],
  ['IpAddress', '10.1.2.3', '10.1.2.3', true],
  ['IpAddress', '::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['IpAddress', '10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['IpAddress', '2001:db8::5', ['10.0.0.0/8', '2001:db8::/32'], true],
  ['IpAddress', '10.1.2.3', '::/0', false],
  ['IpAddress', '010.1.2.3', '10.0.0.0/8', false],
  ['NotIpAddress', '11.1.2.3', '10.0.0.0/8', true],
  ['NotIpAddress', '10.1.2.3', '10.0.0.0/8', false],
  ['NotIpAddress', '::ffff:10.1.2.3', ['10.0.0.0/8', '192.168.0.0/16'], false],
  ['NotIpAddress', 'not an address', '10.0.0.0/8', false],
  ['ArrayContains', ['a', 'b'], 'b', true],
  ['ArrayContains', ['a', 'b'], ['x', 'a'], true],
  ['ArrayContains', ['a', 'b'], 'c', false],
  ['ArrayContains', [], 'a', false],
  ['ArrayContainsAll', ['a', 'b', 'c'], ['a', 'b'], true],
  ['ArrayContainsAll', ['a', 'c'], ['a', 'b'], false],
  ['ArrayContainsAll', ['a'], 'a', true],
  ['Exists', 'a', true, true],
  ['Exists', 'a', false, false],
  ['Exists', '', true, true],
  ['Exists', [], true, true],
  ['Exists', false, true, true],
  ['Exists', undefined, true, false],
  ['Exists', undefined, false, true],
  ['Exists', undefined, [true, false], true],
];

test.each(rows)('iam§10.4 %s of %j against %j is %s', (operator, actual, values, isApplying) => {
  expect(applies('allow', operator, actual, values)).toBe(isApplying);
  expect(applies('deny', operator, actual, values)).toBe(isApplying);
});

test('iam§10.4 every operator has rows that hold and rows that do not', () => {
  for (const name of operatorNames)
    expect(new Set(rows.filter(([operator]) => operator === name).map(([, , , isApplying]) => isApplying)), name).toEqual(new Set([true, false]));
});

/** What holds by itself, what does not, and the actual value they are compared with. */
const singles: Record<string, [actual: ContextValue, holds: unknown, fails: unknown]> = Object.fromEntries([
  ['StringEquals', ['a', 'a', 'b']],
  ['StringNotEquals', ['a', 'b', 'a']],
  ['StringEqualsIgnoreCase', ['A', 'a', 'b']],
  ['StringNotEqualsIgnoreCase', ['A', 'b', 'a']],
  ['StringLike', ['ab', 'a*', 'b*']],
  ['StringNotLike', ['ab', 'b*', 'a*']],
  ['StringLikeIgnoreCase', ['AB', 'a*', 'b*']],
  ['Bool', [true, true, false]],
  ['NumericEquals', [1, 1, 2]],
  ['NumericNotEquals', [1, 2, 1]],
  ['NumericLessThan', [1, 2, 1]],
  ['NumericLessThanEquals', [1, 1, 0]],
  ['NumericGreaterThan', [1, 0, 1]],
  ['NumericGreaterThanEquals', [1, 1, 2]],
  ['DateBefore', ['2026-01-01T00:00Z', '2027-01-01T00:00Z', '2025-01-01T00:00Z']],
  ['DateAfter', ['2026-01-01T00:00Z', '2025-01-01T00:00Z', '2027-01-01T00:00Z']],
  ['IpAddress', ['10.0.0.1', '10.0.0.0/8', '11.0.0.0/8']],
  ['NotIpAddress', ['10.0.0.1', '11.0.0.0/8', '10.0.0.0/8']],
  ['ArrayContains', [['a'], 'a', 'b']],
  ['ArrayContainsAll', [['a'], 'a', 'b']],
  ['Exists', ['a', true, false]],
]);
/** Written apart from the source. */
const needsAll = ['StringNotEquals', 'StringNotEqualsIgnoreCase', 'StringNotLike', 'NumericNotEquals', 'NotIpAddress', 'ArrayContainsAll'];

test.each(operatorNames)('iam§10.4 several values of %s: any one suffices, all where it is negated or says so', (name) => {
  const [actual, holds, fails] = singles[name]!;
  expect([applies('allow', name, actual, holds), applies('allow', name, actual, fails)]).toEqual([true, false]);
  for (const effect of ['allow', 'deny'] as const)
    for (const values of [
      [holds, fails],
      [fails, holds],
    ])
      expect(applies(effect, name, actual, values)).toBe(!needsAll.includes(name));
  expect(applies('allow', name, actual, [fails, fails])).toBe(false);
  expect(applies('allow', name, actual, [holds, holds])).toBe(true);
});

describe('a missing key or one of the wrong type', () => {
  const values: Record<string, unknown> = {
    Bool: true,
    IpAddress: '10.0.0.1',
    NotIpAddress: '10.0.0.1',
    DateBefore: '2026-01-01T00:00Z',
    DateAfter: '2026-01-01T00:00Z',
  };
  const valueFor = (name: string) => values[name] ?? (name.startsWith('Numeric') ? 1 : 'a');
  const wrong = (name: string): ContextValue[] => {
    if (name === 'Bool') return ['true', 1, ['true']];
    if (name.startsWith('Numeric')) return ['1', true, ['1']];
    if (name.startsWith('Array')) return ['a', 1, true];
    if (name.startsWith('String')) return [1, true, ['a']];
    return [1, true, ['a'], 'neither address nor date'];
  };
  test.each(operatorNames.filter((name) => name !== 'Exists'))('iam§10.4 satisfies no operator: %s', (name) => {
    for (const actual of [undefined, ...wrong(name)]) {
      expect(applies('allow', name, actual, valueFor(name)), `${actual}`).toBe(false);
      expect(applies('deny', name, actual, valueFor(name)), `${actual}`).toBe(false);
    }
  });
});

test('iam§10.4 all operators and all keys of a statement must hold', () => {
  const conditions = { StringEquals: { 'resource.a': 'x', 'resource.b': 'y' }, NumericEquals: { 'resource.n': 1 } };
  const grants = setOf([{ effect: 'allow', actions: ['*'], resources: ['*'], conditions }]);
  const allowedWith = (attributes: Record<string, ContextValue>) => {
    const facts = factsOf({ resource: { attributes } });
    return evaluate({ grants, ceilings: [] }, { action: 'app:box:read', resource: facts.resource, context: buildContext(facts) }).effect === 'allow';
  };
  expect(allowedWith({ a: 'x', b: 'y', n: 1 })).toBe(true);
  for (const attributes of [{ a: 'x', b: 'y', n: 2 }, { a: 'x', b: 'z', n: 1 }, { a: 'x', n: 1 }, {}] as Record<string, ContextValue>[])
    expect(allowedWith(attributes)).toBe(false);
});

test.each([
  ['65 keys', Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`app.k${n}`, 'x']))],
  ['65 values', { 'app.k': Array(65).fill('x') }],
  ['a string of 2049 characters', { 'app.k': 'x'.repeat(2049) }],
])('iam§10.4 %s are one too many', (_what, keys) => {
  const statement = { effect: 'allow', actions: ['*'], resources: ['*'], conditions: { StringEquals: keys } };
  expect(() => parsePolicy({ version: 1, statements: [statement] }, catalog)).toThrow(expect.objectContaining({ code: 'INVALID_POLICY' }));
});
