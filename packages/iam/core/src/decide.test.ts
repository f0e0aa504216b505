import fc from 'fast-check';
import { expect, test } from 'vitest';
import { admitHeld, type Ask, type Decision, type DecisionStep, decide } from './decide.ts';
import { compileHolds } from './holds.ts';
import { allowAll, askOf, setOf } from './test-support/facts.ts';

const deny = { sid: 'no', effect: 'deny', actions: ['*'], resources: ['*'] };
const silent = { effect: 'allow', actions: ['app:jar:read'], resources: ['*'] };
const held = [compileHolds(['app:jar:*']), compileHolds(['app:box:*'])];
const traced = (ask: Ask): [Decision, DecisionStep[]] => {
  const steps: DecisionStep[] = [];
  return [decide(ask, (step) => steps.push(step)), steps];
};

test('iam§12.2 what the caller is told, and what is kept from them', () => {
  const by = { set: 'grants', kind: 'policy', id: 'pol_0', sid: 'all' };
  expect(decide(askOf())).toEqual({ allowed: true, reason: 'ALLOWED', matched: ['all'], internalReason: 'allowed', held: false, by });
  expect(decide(askOf({ holds: held }))).toEqual({ allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [], internalReason: 'held', held: true, by });
  expect(decide(askOf({ action: 'app:box:reed' }))).toEqual({
    allowed: false,
    reason: 'ACCESS_DENIED',
    matched: [],
    internalReason: 'UNKNOWN_ACTION',
    held: false,
  });
  expect(decide(askOf({ grants: setOf([allowAll, deny]), holds: held }))).toMatchObject({
    reason: 'ACCESS_DENIED',
    internalReason: 'explicit-deny',
    held: false,
    by: { sid: 'no' },
  });
  expect(decide(askOf({ grants: setOf([silent]), holds: held }))).toMatchObject({ reason: 'ACCESS_DENIED', internalReason: 'no-grant', held: false });
  expect(decide(askOf({ ceilings: [setOf([silent])], holds: held }))).toMatchObject({ reason: 'ACCESS_DENIED', internalReason: 'boundary-deny', held: false });
});

test('iam§12.1 an unknown action is refused before the context is looked at', () => {
  const broken = askOf({ action: 'toString' }, { extra: { 'principal.id': 'x' } });
  expect(decide(broken).internalReason).toBe('UNKNOWN_ACTION');
  expect(() => decide({ ...broken, action: 'app:box:read' })).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR' }));
});

type Voice = 'allow' | 'deny' | 'silent';
const voice = fc.constantFrom<Voice>('allow', 'deny', 'silent');
const setOfVoices = (voices: readonly Voice[]) => setOf(...voices.map((one) => [one === 'allow' ? allowAll : one === 'deny' ? deny : silent]));

test('iam§12.1 deny beats hold beats allow, and silence denies, in every mixture', () => {
  fc.assert(
    fc.property(
      fc.array(voice, { maxLength: 3 }),
      fc.array(fc.array(voice, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
      fc.boolean(),
      (grants, ceilings, isHeld) => {
        const decision = decide(askOf({ grants: setOfVoices(grants), ceilings: ceilings.map(setOfVoices), holds: isHeld ? held : [] }));
        const all = [...grants, ...ceilings.flat()];
        const isAllowed = !all.includes('deny') && grants.includes('allow') && ceilings.every((ceiling) => ceiling.includes('allow'));
        expect(decision.reason).toBe(!isAllowed ? 'ACCESS_DENIED' : isHeld ? 'CONFIRMATION_REQUIRED' : 'ALLOWED');
        if (all.includes('deny')) expect(decision.internalReason).toBe('explicit-deny');
        expect(decision.allowed).toBe(decision.reason === 'ALLOWED');
      },
    ),
    { numRuns: 2000 },
  );
});

test('iam§14.1 a further ceiling, hold or deny never turns a no into a yes', () => {
  const rank = { ACCESS_DENIED: 0, CONFIRMATION_REQUIRED: 1, ALLOWED: 2 };
  fc.assert(
    fc.property(fc.array(voice, { maxLength: 3 }), fc.array(voice, { maxLength: 3 }), voice, fc.boolean(), (grants, ceilings, more, isHeld) => {
      const before = askOf({ grants: setOfVoices(grants), ceilings: ceilings.map((one) => setOfVoices([one])), holds: isHeld ? held : [] });
      const narrower = [
        { ...before, ceilings: [...before.ceilings, setOfVoices([more])] },
        { ...before, holds: [...before.holds, ...held] },
        { ...before, grants: setOfVoices([...grants, 'deny']) },
      ];
      for (const after of narrower) expect(rank[decide(after).reason]).toBeLessThanOrEqual(rank[decide(before).reason]);
    }),
  );
});

test('iam§17.3 the order of statements, documents, ceilings and holds does not matter', () => {
  fc.assert(
    fc.property(fc.array(voice, { maxLength: 4 }), fc.array(voice, { maxLength: 4 }), fc.boolean(), (grants, ceilings, isHeld) => {
      const ask = (order: <T>(list: T[]) => T[]) =>
        decide(
          askOf({ grants: setOfVoices(order([...grants])), ceilings: order(ceilings.map((one) => setOfVoices([one]))), holds: isHeld ? order([...held]) : [] }),
        ).internalReason;
      expect(ask((list) => list)).toBe(ask((list) => list.reverse()));
    }),
  );
});

test('iam§12.6 the trace names each step up to the one that settled it, and the decision is the same with it', () => {
  const passed = (step: number) => ({ step, outcome: 'passed' });
  const granted = { set: 'grants', kind: 'policy', id: 'pol_0', sid: 'all' };
  const cases: [Ask, object[]][] = [
    [askOf(), [5, 7, 8, 9, 10].map(passed).concat({ ...passed(11), by: granted } as never)],
    [askOf({ holds: held }), [...[5, 7, 8, 9].map(passed), { step: 10, outcome: 'held' }]],
    [askOf({ action: 'a:b' }), [{ step: 5, outcome: 'refused' }]],
    [
      askOf({ ceilings: [setOf([allowAll]), setOf([allowAll, deny])] }),
      [passed(5), { step: 7, outcome: 'refused', by: { set: 1, kind: 'policy', id: 'pol_0', sid: 'no' } }],
    ],
    [askOf({ grants: setOf([silent]) }), [passed(5), passed(7), { step: 8, outcome: 'refused' }]],
    [askOf({ ceilings: [setOf([silent])] }), [passed(5), passed(7), passed(8), { step: 9, outcome: 'refused', by: { set: 0, kind: 'policy', id: 'pol_0' } }]],
  ];
  for (const [ask, steps] of cases) {
    const [decision, trace] = traced(ask);
    expect(trace).toEqual(steps);
    expect(decision).toEqual(decide(ask));
  }
});

test('iam§17.4 a held decision whose approval was consumed is the allow it would have been; nothing else changes', () => {
  expect(admitHeld(decide(askOf({ holds: held })))).toEqual(decide(askOf()));
  for (const ask of [askOf(), askOf({ grants: setOf([silent]) }), askOf({ grants: setOf([allowAll, deny]), holds: held })])
    expect(admitHeld(decide(ask))).toEqual(decide(ask));
});
