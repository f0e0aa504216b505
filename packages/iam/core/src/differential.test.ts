import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import { compileHolds } from './holds.ts';
import { parsePolicy } from './policy/parse.ts';
import { compileDocuments } from './policy/set.ts';
import { askArbitrary, confirmArbitrary, documentArbitrary } from './test-support/arbitraries.ts';
import { catalog } from './test-support/facts.ts';
import { naiveDecide } from './test-support/naive-evaluator.ts';

// 100,000 decisions, eight a run; more with IAM_DIFFERENTIAL_RUNS. Any other seed with IAM_DIFFERENTIAL_SEED.
const runs = Number(process.env.IAM_DIFFERENTIAL_RUNS ?? 12_500);
const seed = Number(process.env.IAM_DIFFERENTIAL_SEED ?? Date.now() % 2 ** 31);

const compile = (documents: readonly unknown[]) => {
  const parsed = documents.map((document) => parsePolicy(document, catalog));
  return {
    parsed,
    set: compileDocuments(
      parsed.map((document, index) => ({ kind: 'policy', id: `pol_${index}`, document })),
      catalog,
    ),
  };
};

test('iam§10.6 the evaluator agrees with a naive second one, written apart, on every decision', { timeout: 600_000 * Math.max(1, runs / 12_500) }, () => {
  console.info(`naive evaluator: ${runs} runs of eight decisions, seed ${seed}`);
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(documentArbitrary, { minLength: 1, maxLength: 3 }),
      fc.array(fc.array(documentArbitrary, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
      fc.array(confirmArbitrary, { maxLength: 2 }),
      fc.array(askArbitrary, { minLength: 8, maxLength: 8 }),
      (grantDocuments, ceilingDocuments, confirm, asks) => {
        const grants = compile(grantDocuments);
        const ceilings = ceilingDocuments.map(compile);
        const sets = { grants: grants.set, ceilings: ceilings.map(({ set }) => set), holds: confirm.map(compileHolds), catalog };
        for (const { action, resource, ...context } of asks) {
          const naive = naiveDecide({
            action,
            resource,
            ...context,
            confirm,
            knownActions: [...catalog.actions],
            grants: grants.parsed,
            ceilings: ceilings.map(({ parsed }) => parsed),
          });
          const decision = decide({ ...sets, action, resource, context });
          expect(decision.internalReason).toBe(naive);
          seen.set(naive, (seen.get(naive) ?? 0) + 1);
        }
      },
    ),
    { numRuns: runs, seed },
  );
  // The cases must not all be of one kind, or agreeing would mean little.
  for (const reason of ['allowed', 'held', 'explicit-deny', 'no-grant', 'boundary-deny', 'UNKNOWN_ACTION'])
    expect(seen.get(reason) ?? 0, reason).toBeGreaterThan(runs / 20);
});
