import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import { compileHolds } from './holds.ts';
import { parsePolicy } from './policy/parse.ts';
import { compileDocuments } from './policy/set.ts';
import { reach, type ReachLevel } from './reach.ts';
import { askArbitrary, confirmArbitrary, documentArbitrary } from './test-support/arbitraries.ts';
import { allowAll, catalog, setOf } from './test-support/facts.ts';

const ask = { action: 'app:box:read', resourceType: 'box', holds: [], catalog };
const some = { sid: 'some', effect: 'allow', actions: ['app:box:*'], resources: ['box/a*'] };
const later = { sid: 'later', effect: 'allow', actions: ['*'], resources: ['*'], conditions: { Bool: { 'principal.mfa': true } } };
const never = { sid: 'never', effect: 'deny', actions: ['app:box:read'], resources: ['*'] };
const sometimes = { sid: 'sometimes', effect: 'deny', actions: ['*'], resources: ['box/b*'] };
const jars = { effect: 'allow', actions: ['app:jar:*'], resources: ['*'] };

test('iam§12.6 always, conditional, held and never, with what makes it so', () => {
  const level = (input: Partial<Parameters<typeof reach>[0]>) => reach({ ...ask, grants: setOf([allowAll]), ceilings: [], ...input });
  expect(level({})).toEqual({ level: 'always', rules: [] });
  expect(level({ holds: [compileHolds(['app:box:*'])] })).toEqual({ level: 'held', rules: [] });
  expect(level({ grants: setOf([some, later]) })).toEqual({
    level: 'conditional',
    rules: [
      { effect: 'allow', by: { set: 'grants', kind: 'policy', id: 'pol_0', sid: 'some' }, resources: ['box/a*'] },
      { effect: 'allow', by: { set: 'grants', kind: 'policy', id: 'pol_0', sid: 'later' }, resources: ['*'], conditions: later.conditions },
    ],
  });
  expect(level({ ceilings: [setOf([allowAll]), setOf([some])] })).toMatchObject({ level: 'conditional', rules: [{ by: { set: 1, sid: 'some' } }] });
  expect(level({ grants: setOf([allowAll, sometimes]) })).toMatchObject({ level: 'conditional', rules: [{ effect: 'deny', by: { sid: 'sometimes' } }] });
  expect(level({ ceilings: [setOf([allowAll, never])] })).toEqual({ level: 'never', rules: [], by: { set: 0, kind: 'policy', id: 'pol_0', sid: 'never' } });
  expect(level({ grants: setOf([jars]) })).toEqual({ level: 'never', rules: [], by: { set: 'grants' } });
  expect(level({ ceilings: [setOf([allowAll]), setOf([jars])] })).toEqual({ level: 'never', rules: [], by: { set: 1, kind: 'policy', id: 'pol_0' } });
  expect(level({ action: 'app:none:read' })).toEqual({ level: 'never', rules: [] });
  expect(level({ resourceType: 'jar', grants: setOf([some]) })).toMatchObject({ level: 'never' });
});

test('iam§12.6 iam§25 whatever is asked then, a decision never goes beyond its reach', () => {
  const compile = (documents: readonly unknown[]) =>
    compileDocuments(
      documents.map((document, index) => ({ kind: 'policy', id: `pol_${index}`, document: parsePolicy(document, catalog) })),
      catalog,
    );
  const seen = new Map<ReachLevel, number>();
  fc.assert(
    fc.property(
      fc.array(documentArbitrary, { minLength: 1, maxLength: 3 }),
      fc.array(fc.array(documentArbitrary, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
      fc.array(confirmArbitrary, { maxLength: 1 }),
      fc.array(askArbitrary, { minLength: 4, maxLength: 4 }),
      (grants, ceilings, confirm, asks) => {
        const sets = { grants: compile(grants), ceilings: ceilings.map(compile), holds: confirm.map(compileHolds), catalog };
        for (const { action, resource, ...context } of asks) {
          const { level } = reach({ ...sets, action, resourceType: resource.type });
          const decision = decide({ ...sets, action, resource, context });
          seen.set(level, (seen.get(level) ?? 0) + 1);
          if (level === 'never') expect([decision.allowed, decision.held]).toEqual([false, false]);
          if (level === 'always') expect(decision.allowed).toBe(true);
          if (level === 'held') expect(decision.allowed).toBe(false);
          if (level === 'conditional') expect(decision.held).toBe(false);
        }
      },
    ),
    { numRuns: 800 },
  );
  for (const level of ['never', 'conditional', 'held'] as const) expect(seen.get(level) ?? 0, level).toBeGreaterThan(40);
});
