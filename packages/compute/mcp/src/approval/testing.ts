import { type ConfirmationReader, createComputeMcp, type Delegations, iamConfirmations } from '../index.ts';
import { fakeClock, fakeCompute, type FakeCompute, held, reservation } from '../testing.ts';

export type States = ('pending' | 'approved' | 'rejected' | 'used' | Error)[];

/** IAM as the tools see it: one state after another, the last one for good. */
export function fakeDelegations(states: States, o: { expiresAt?: number } = {}) {
  const seen: unknown[][] = [];
  const delegations: Delegations = {
    async getConfirmation(...given) {
      const state = states[Math.min(seen.length, states.length - 1)];
      seen.push(given);
      if (state instanceof Error) throw state;
      return { id: 'cnf_1', status: state, expiresAt: o.expiresAt ?? 9_000_000_000_000 };
    },
  };
  return { delegations, seen };
}

/** Held until the nth call. */
export const heldFor = (times: number): FakeCompute['answers'] => ({ 'reservations.create': (_, before) => (before < times ? held() : { data: reservation }) });

/** A server whose reserve_gpus is held, with a person who decides as `states` say. */
export function serve(
  o: { states?: States; expiresAt?: number; heldTimes?: number; reader?: ConfirmationReader; maxWaitMs?: number; delegations?: Delegations } = {},
) {
  const compute = fakeCompute(heldFor(o.heldTimes ?? 1));
  const clock = fakeClock();
  const fake = fakeDelegations(o.states ?? ['pending'], o);
  const confirmations = o.reader ? () => o.reader : iamConfirmations(o.delegations ?? fake.delegations, { now: clock.now });
  const mcp = createComputeMcp({
    baseURL: 'https://compute.example',
    fetch: compute.fetch,
    confirmations,
    clock,
    ...(o.maxWaitMs === undefined ? {} : { maxWaitMs: o.maxWaitMs }),
  });
  return { compute, clock, mcp, asked: fake.seen };
}
