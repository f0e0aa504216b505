import { describe, expect, test } from 'vitest';
import { createComputeMcp, type Delegations, iamConfirmations } from '../index.ts';
import { call, fakeClock, fakeCompute, type FakeCompute, held, reservation, reserveArguments } from '../testing.ts';
import { fakeDelegations, heldFor, serve } from './testing.ts';

describe('compute§11.3 woken early', () => {
  test('a decision that is signalled is looked at once, not at the next poll; the watch is ended', async () => {
    let changed = () => {};
    let watched: string | undefined;
    let ended = 0;
    const state = { now: 'pending' };
    const delegations: Delegations = {
      getConfirmation: async () => ({ status: state.now, expiresAt: 9_000_000_000_000 }),
      watch(id, fn) {
        watched = id;
        changed = fn;
        return () => ended++;
      },
    };
    const compute = fakeCompute(heldFor(1));
    const clock = fakeClock(({ count }) => {
      if (count !== 3) return;
      state.now = 'approved';
      changed();
    });
    const mcp = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      clock,
      confirmations: iamConfirmations(delegations, { now: clock.now }),
    });
    expect((await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent).toMatchObject(reservation);
    expect([watched, ended, clock.at]).toEqual(['cnf_1', 1, 1_004_000]);
  });

  test('a signal that comes while the state is being read is not lost', async () => {
    let changed = () => {};
    let reads = 0;
    const delegations: Delegations = {
      async getConfirmation() {
        reads++;
        if (reads === 1) changed();
        return { status: reads === 1 ? 'pending' : 'approved', expiresAt: 9_000_000_000_000 };
      },
      watch(_, fn) {
        changed = fn;
        return () => {};
      },
    };
    const { mcp, clock } = serve({ delegations });
    expect((await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent).toMatchObject(reservation);
    expect(clock.at).toBe(1_002_000);
  });
});

describe('B162 one call waits no longer than maxWaitMs in all (against the seed: 55 s by default)', () => {
  const slow = (clock: { at: number }, waits: unknown[], ms: number): FakeCompute['answers'] => ({
    'reservations.create': ({ input }, before) => {
      waits.push((input.wait as { timeoutMs: number }).timeoutMs);
      clock.at += ms;
      return before === 0 ? held() : { data: reservation };
    },
  });

  test('placement gets what the approval has left of it', async () => {
    const waits: unknown[] = [];
    const clock = fakeClock();
    const compute = fakeCompute(slow(clock, waits, 0));
    const { delegations } = fakeDelegations(['pending', 'pending', 'approved']);
    const mcp = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      clock,
      maxWaitMs: 10_000,
      confirmations: iamConfirmations(delegations, { now: clock.now }),
    });
    await call(mcp, 'reserve_gpus', reserveArguments);
    expect(waits).toEqual([10_000, 4_000]);
  });

  test('by default 20 s of placement fit after the longest approval', async () => {
    const waits: unknown[] = [];
    const clock = fakeClock();
    const compute = fakeCompute(slow(clock, waits, 20_000));
    const { delegations } = fakeDelegations([...Array.from({ length: 12 }, () => 'pending' as const), 'approved']);
    const mcp = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      clock,
      confirmations: iamConfirmations(delegations, { now: clock.now }),
    });
    await call(mcp, 'reserve_gpus', reserveArguments);
    expect(waits).toEqual([20_000, 10_000]);
  });

  test('when it has run out the retry does not wait at all, and that is no error', async () => {
    const { mcp, clock } = serve({ maxWaitMs: 3_000 });
    expect((await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent.status).toBe('confirmation-required');
    expect(clock.pauses).toEqual([2000, 1000]);
    const none = serve({ maxWaitMs: 0 });
    expect((await call(none.mcp, 'reserve_gpus', reserveArguments)).structuredContent.status).toBe('confirmation-required');
    expect([none.clock.pauses, none.compute.seen[0]!.input.wait]).toEqual([[], { timeoutMs: 0 }]);
  });
});
