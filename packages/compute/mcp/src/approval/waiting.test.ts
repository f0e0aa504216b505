import { describe, expect, test } from 'vitest';
import { type ConfirmationReader, createComputeMcp, type Delegations, iamConfirmations } from '../index.ts';
import { agent, ask, call, fakeClock, fakeCompute, type FakeCompute, held, reservation, reserveArguments } from '../testing.ts';

type States = ('pending' | 'approved' | 'rejected' | 'used' | Error)[];

/** IAM as the tools see it: one state after another, the last one for good. */
function fakeDelegations(states: States, o: { expiresAt?: number } = {}) {
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
const heldFor = (times: number): FakeCompute['answers'] => ({ 'reservations.create': (_, before) => (before < times ? held() : { data: reservation }) });

function serve(
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

const pending = (key: unknown) => ({
  status: 'confirmation-required',
  confirmationId: 'cnf_1',
  idempotencyKey: key,
  message: 'A person must approve this action. Once they have, call the tool again with the same idempotencyKey.',
  approvalUrl: 'https://compute.example/approvals/cnf_1',
});

describe('without a way to look', () => {
  test('B147 B148 compute§11.3 a held action is a normal result at once, with key and approvalUrl', async () => {
    const compute = fakeCompute(heldFor(1));
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch });
    const result = await call(mcp, 'reserve_gpus', reserveArguments);
    expect(result).not.toHaveProperty('isError');
    expect(result.structuredContent).toEqual(pending(compute.seen[0]!.input.idempotencyKey));
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  });

  test('B150 the same arguments with that key are the same request, and it is placed', async () => {
    const compute = fakeCompute(heldFor(1));
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch });
    const { idempotencyKey } = (await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent;
    const again = await call(mcp, 'reserve_gpus', { ...reserveArguments, idempotencyKey });
    expect(again.structuredContent).toEqual({ idempotencyKey, ...reservation });
    expect(compute.seen[1]!.input).toEqual(compute.seen[0]!.input);
  });

  test('compute§11.1 approvalUrl of the options beats compute’s', async () => {
    const compute = fakeCompute(heldFor(1));
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch, approvalUrl: (id) => `https://own.example/${id}` });
    expect((await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent.approvalUrl).toBe('https://own.example/cnf_1');
  });

  test('B158 no tenant or no bearer: nobody can look, so confirmation-required at once', async () => {
    const { mcp, asked, clock } = serve({ states: ['approved'] });
    expect((await call(mcp, 'reserve_gpus', reserveArguments, { identityId: 'usr_a' })).structuredContent.status).toBe('confirmation-required');
    const params = { name: 'reserve_gpus', arguments: reserveArguments };
    const noBearer = serve({ states: ['approved'] });
    const { result } = (await ask(noBearer.mcp, 'tools/call', params, { caller: agent, headers: { authorization: 'Basic abc' } })).body;
    expect(result.structuredContent.status).toBe('confirmation-required');
    expect([asked, noBearer.asked, clock.pauses]).toEqual([[], [], []]);
  });
});

describe('waiting inside the call', () => {
  test('B16 B152 looks every 2 s, and on approved retries once with the same key', async () => {
    const { mcp, compute, clock } = serve({ states: ['pending', 'pending', 'approved'] });
    const { structuredContent } = await call(mcp, 'reserve_gpus', reserveArguments);
    expect(structuredContent).toEqual({ idempotencyKey: compute.seen[0]!.input.idempotencyKey, ...reservation });
    expect(clock.pauses).toEqual([2000, 2000, 2000]);
    expect(compute.seen).toHaveLength(2);
    expect(compute.seen[1]!.input.idempotencyKey).toBe(compute.seen[0]!.input.idempotencyKey);
  });

  test('B156 asks with the caller’s own bearer token in the caller’s tenant', async () => {
    const { mcp, asked } = serve({ states: ['approved'] });
    await call(mcp, 'reserve_gpus', reserveArguments);
    expect(asked).toEqual([[{ token: 'tok_agent' }, { tenantId: 'tnt_a', confirmationId: 'cnf_1' }]]);
  });

  test('B154 after 25 s the answer is confirmation-required, and nothing was retried', async () => {
    const { mcp, compute, clock } = serve();
    const { structuredContent } = await call(mcp, 'reserve_gpus', reserveArguments);
    expect(structuredContent).toEqual(pending(compute.seen[0]!.input.idempotencyKey));
    expect(clock.pauses).toEqual([...Array.from({ length: 12 }, () => 2000), 1000]);
    expect(compute.seen).toHaveLength(1);
  });

  test.each([
    ['B153 B157 rejected', ['rejected'] as States, {}, 'confirmation-denied'],
    ['B153 B157 pending past its end', ['pending'] as States, { expiresAt: 1_002_000 }, 'confirmation-expired'],
    ['B157 approved and not used in time', ['approved'] as States, { expiresAt: 1_002_000 }, 'confirmation-expired'],
  ])('%s ends the wait', async (_, states, o, status) => {
    const { mcp, compute } = serve({ states, ...o });
    const { structuredContent } = await call(mcp, 'reserve_gpus', reserveArguments);
    expect(structuredContent).toEqual({ status, confirmationId: 'cnf_1', idempotencyKey: compute.seen[0]!.input.idempotencyKey });
    expect(compute.seen).toHaveLength(1);
  });

  test('B157 iam§17.7 used counts as approved: the retry finds what came of it', async () => {
    const { mcp } = serve({ states: ['used'] });
    expect((await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent).toMatchObject(reservation);
  });

  test('B152 a retry that is held again is not waited for a second time', async () => {
    const { mcp, compute, asked } = serve({ states: ['approved'], heldTimes: 2 });
    expect((await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent.status).toBe('confirmation-required');
    expect([compute.seen.length, asked.length]).toEqual([2, 1]);
  });

  test('B142 a retry that compute refuses is that refusal, with the key', async () => {
    const compute = fakeCompute({ 'reservations.create': (_, n) => (n === 0 ? held() : { error: { code: 'NO_CAPACITY', message: 'full' }, status: 409 }) });
    const clock = fakeClock();
    const mcp = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      clock,
      confirmations: iamConfirmations(fakeDelegations(['approved']).delegations, { now: clock.now }),
    });
    const { structuredContent, isError } = await call(mcp, 'reserve_gpus', reserveArguments);
    expect([isError, structuredContent]).toEqual([
      true,
      { idempotencyKey: compute.seen[0]!.input.idempotencyKey, error: { code: 'NO_CAPACITY', message: 'full' } },
    ]);
  });

  test('extend_reservation waits the same way', async () => {
    const compute = fakeCompute({ 'reservations.extend': (_, before) => (before === 0 ? held() : { data: { extension: { addedSeconds: 60 } } }) });
    const clock = fakeClock();
    const mcp = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      clock,
      confirmations: iamConfirmations(fakeDelegations(['approved']).delegations, { now: clock.now }),
    });
    const { structuredContent } = await call(mcp, 'extend_reservation', { reservationId: 'rsv_AAAAAAAAAAAAAAAAAAAAAA', by: '1m' });
    expect(structuredContent).toMatchObject({ extension: { addedSeconds: 60 } });
  });
});

describe('B155 when looking fails', () => {
  const note = 'Whether they have could not be checked just now. Retry with the same idempotencyKey, never with a new one.';
  const broken: [string, ConfirmationReader | undefined, States][] = [
    ['IAM cannot be reached', undefined, [new Error('ECONNREFUSED secret')]],
    ['it fails after some looks', undefined, ['pending', 'pending', new Error('gone')]],
    ['the record is of no form', undefined, ['nonsense' as never]],
    [
      'a reader throws',
      {
        state: () => {
          throw new Error('x');
        },
      },
      [],
    ],
    ['a reader answers nonsense', { state: () => 'maybe' as never }, []],
    [
      'watching throws',
      {
        state: () => 'pending',
        watch: () => {
          throw new Error('x');
        },
      },
      [],
    ],
  ];

  test.each(broken)('%s: the pending result with its key and a note to retry with it', async (_, reader, states) => {
    const { mcp, compute } = serve({ ...(reader ? { reader } : {}), states });
    const result = await call(mcp, 'reserve_gpus', reserveArguments);
    expect(result).not.toHaveProperty('isError');
    expect(result.structuredContent).toEqual({ ...pending(compute.seen[0]!.input.idempotencyKey), note });
    expect(compute.seen).toHaveLength(1);
  });

  test('a confirmations function that throws is the same', async () => {
    const compute = fakeCompute(heldFor(1));
    const mcp = createComputeMcp({
      baseURL: 'https://compute.example',
      fetch: compute.fetch,
      confirmations: () => {
        throw new Error('x');
      },
    });
    expect((await call(mcp, 'reserve_gpus', reserveArguments)).structuredContent.note).toBe(note);
  });
});

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
