import { describe, expect, test } from 'vitest';
import { type ConfirmationReader, createComputeMcp, iamConfirmations } from '../index.ts';
import { agent, ask, call, fakeClock, fakeCompute, held, reservation, reserveArguments } from '../testing.ts';
import { fakeDelegations, heldFor, serve, type States } from './testing.ts';

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
  test('B16 B152 iam§17.7 looks every 2 s, and on approved retries once with the same key', async () => {
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
    ['B153 B157 iam§17.7 rejected', ['rejected'] as States, {}, 'confirmation-denied'],
    ['B153 B157 iam§17.7 pending past its end', ['pending'] as States, { expiresAt: 1_002_000 }, 'confirmation-expired'],
    ['B157 iam§17.7 approved and not used in time', ['approved'] as States, { expiresAt: 1_002_000 }, 'confirmation-expired'],
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
