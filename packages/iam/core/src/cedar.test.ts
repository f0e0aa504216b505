import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildContext } from './policy/context.ts';
import { evaluate } from './policy/evaluate.ts';
import { parsePolicy } from './policy/parse.ts';
import { compileDocuments } from './policy/set.ts';
import { type CedarFacts, cedarAllows, prepareCedar } from './test-support/cedar.ts';
import { catalog, factsOf } from './test-support/facts.ts';

// Two Cedar decisions each. Another seed with IAM_CEDAR_SEED.
const pairs = Number(process.env.IAM_CEDAR_PAIRS ?? 500);
const asksPerPair = 100;
const seed = Number(process.env.IAM_CEDAR_SEED ?? 20_261_130);

const character = fc.constantFrom('a', 'b', '/', 'é', '😀');
const value = fc.array(character, { maxLength: 3 }).map((characters) => characters.join(''));
const pattern = fc
  .array(fc.oneof({ arbitrary: character, weight: 3 }, { arbitrary: fc.constant('*'), weight: 2 }), { minLength: 1, maxLength: 4 })
  .map((characters) => characters.join(''));
const oneOrMore = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.oneof(arbitrary, fc.array(arbitrary, { minLength: 1, maxLength: 3 }));
const textKey = fc.constantFrom('resource.name', 'resource.team');
const condition = fc.oneof(
  fc.tuple(fc.constant('StringEquals'), textKey, oneOrMore(value)),
  fc.tuple(fc.constant('StringLike'), textKey, oneOrMore(pattern)),
  fc.tuple(fc.constant('Bool'), fc.constant('resource.flag'), fc.boolean()),
  fc.tuple(fc.constant('NumericEquals'), fc.constant('resource.n'), oneOrMore(fc.integer({ min: 0, max: 2 }))),
);
const statement = fc.record({
  effect: fc.oneof({ arbitrary: fc.constant('allow'), weight: 2 }, { arbitrary: fc.constant('deny'), weight: 1 }),
  actions: fc.array(fc.constantFrom('*', 'app:box:*', 'app:box:read', 'app:jar:read', '*:write'), { minLength: 1, maxLength: 2 }),
  resources: fc.array(
    fc.oneof(
      fc.constantFrom('*', 'box/*', 'b*/*', 'jar/*', 'box*'),
      pattern.map((id) => `box/${id}`),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  conditions: fc.array(condition, { maxLength: 2 }).map((list) => Object.fromEntries(list.map(([operator, key, values]) => [operator, { [key]: values }]))),
});
const document = fc.array(statement, { minLength: 1, maxLength: 6 }).map((statements) => ({ version: 1, statements }));
const ask = fc.record({
  action: fc.constantFrom('app:box:read', 'app:box:write', 'app:jar:read'),
  type: fc.constantFrom('box', 'box-x', 'jar'),
  id: value,
  facts: fc.record<CedarFacts>({ name: value, team: value, n: fc.integer({ min: 0, max: 2 }), flag: fc.boolean() }),
});

test('iam§10.6 the evaluator agrees with Cedar on equality, like with *, deny over allow and ceilings, no key absent', {
  timeout: 600_000 * Math.max(1, pairs / 500),
}, () => {
  console.info(`Cedar: ${pairs * asksPerPair * 2} decisions, seed ${seed}`);
  const documents = fc.sample(document, { seed, numRuns: pairs * 2 });
  const asks = fc.sample(ask, { seed: seed + 1, numRuns: 5000 });
  let decisions = 0;
  let allowed = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const parsed = [documents[pair * 2], documents[pair * 2 + 1]].map((written) => parsePolicy(written, catalog));
    const sets = parsed.map((one, index) => compileDocuments([{ kind: 'policy', id: `pol_${index}`, document: one }], catalog));
    for (const [index, one] of parsed.entries()) prepareCedar(`set-${index}`, one);
    for (let index = 0; index < asksPerPair; index++) {
      const { action, type, id, facts } = asks[(pair * asksPerPair + index) % asks.length] as (typeof asks)[number];
      const context = buildContext(factsOf({ resource: { type, id, attributes: { ...facts } } }));
      const request = { action, resource: { type, id }, context };
      const cedar = sets.map((_, place) => cedarAllows(`set-${place}`, action, `${type}/${id}`, facts));
      const [grants, ceiling] = sets as [(typeof sets)[number], (typeof sets)[number]];
      const ours = [grants, ceiling].map((set) => evaluate({ grants: set, ceilings: [] }, request).effect === 'allow');
      const both = evaluate({ grants, ceilings: [ceiling] }, request).effect === 'allow';
      const said = () => JSON.stringify({ seed, pair, parsed, action, type, id, facts });
      if (ours[0] !== cedar[0] || ours[1] !== cedar[1] || both !== (cedar[0] && cedar[1]))
        expect({ ours, both }, said()).toEqual({ ours: cedar, both: cedar[0] && cedar[1] });
      decisions += 2;
      allowed += Number(cedar[0]) + Number(cedar[1]);
    }
  }
  expect(decisions).toBe(pairs * asksPerPair * 2);
  // Neither side may be saying the same thing all the time.
  expect(allowed / decisions).toBeGreaterThan(0.1);
  expect(allowed / decisions).toBeLessThan(0.9);
});
