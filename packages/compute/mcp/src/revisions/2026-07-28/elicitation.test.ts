import { describe, expect, test } from 'vitest';
import { type Confirmations, createComputeMcp } from '../../index.ts';
import { agent, answered, fakeClock, fakeCompute, held, reservation, reserveArguments, statelessRequest } from '../../testing.ts';

const SECRET = 'a secret of thirty-two characters!';
const asks = { elicitation: { url: {} } };

function serve(
  o: {
    state?: 'pending' | 'approved' | 'denied' | 'expired' | Error;
    heldTimes?: number;
    stateSecret?: string | undefined;
    details?: object;
    noReader?: boolean;
  } = {},
) {
  const { state = 'approved', heldTimes = 1 } = o;
  const compute = fakeCompute({ 'reservations.create': (_, before) => (before < heldTimes ? held(o.details) : { data: reservation }) });
  const clock = fakeClock();
  let looks = 0;
  const confirmations: Confirmations = () => ({
    state: () => {
      looks++;
      if (state instanceof Error) throw state;
      return state;
    },
  });
  const stateSecret = 'stateSecret' in o ? o.stateSecret : SECRET;
  const mcp = createComputeMcp({
    baseURL: 'https://compute.example',
    fetch: compute.fetch,
    clock,
    ...(o.noReader ? {} : { confirmations }),
    ...(stateSecret === undefined ? {} : { stateSecret }),
  });
  const send = async (params: object = {}, more: { capabilities?: object; caller?: typeof agent; name?: string } = {}) => {
    const all = { name: more.name ?? 'reserve_gpus', arguments: reserveArguments, ...params };
    return (await answered(await mcp.handler(statelessRequest('tools/call', all, { capabilities: more.capabilities ?? asks }), more.caller ?? agent))).body;
  };
  const reply = (requestState: unknown, action: unknown = 'accept', more: object = {}) =>
    send({ requestState, inputResponses: { approval: { action } }, ...more });
  return { compute, clock, send, reply, looks: () => looks };
}

describe('compute§11.3 a client that can show an address is asked by URL', () => {
  test('B4 the question carries compute’s summary and the address, and nobody is waited for', async () => {
    const { send, clock } = serve();
    const { result } = await send();
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        approval: {
          method: 'elicitation/create',
          params: { mode: 'url', message: 'A person must approve this action: 1 × H100 for 1h', url: 'https://compute.example/approvals/cnf_1' },
        },
      },
      requestState: expect.stringMatching(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/),
      _meta: { 'io.modelcontextprotocol/serverInfo': expect.anything() },
    });
    expect(clock.pauses).toEqual([]);
  });

  test('coming back with accept once it is approved goes through with the key of the first call', async () => {
    const { send, reply, compute } = serve();
    const { requestState } = (await send()).result;
    const { result } = await reply(requestState);
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { idempotencyKey: compute.seen[0]!.input.idempotencyKey, ...reservation } });
    expect(compute.seen[1]!.input.idempotencyKey).toBe(compute.seen[0]!.input.idempotencyKey);
  });

  test('a client’s word is no decision: accept while it is pending waits, asks twice more, then gives the plain result', async () => {
    const { send, reply, compute, clock } = serve({ state: 'pending' });
    let { result } = await send();
    for (let round = 0; round < 2; round++) {
      result = (await reply(result.requestState)).result;
      expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { approval: { method: 'elicitation/create' } } });
    }
    result = (await reply(result.requestState)).result;
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'confirmation-required', confirmationId: 'cnf_1' } });
    expect(compute.seen).toHaveLength(1);
    expect(clock.at).toBe(1_000_000 + 3 * 25_000);
  });

  test.each(['denied', 'expired'] as const)('%s is told, and compute is not asked again, for that would file anew', async (state) => {
    const { send, reply, compute } = serve({ state });
    const { result } = await reply((await send()).result.requestState);
    expect(result.structuredContent).toEqual({
      status: `confirmation-${state}`,
      confirmationId: 'cnf_1',
      idempotencyKey: compute.seen[0]!.input.idempotencyKey,
    });
    expect(compute.seen).toHaveLength(1);
  });

  test('B155 looking fails: the plain result with its note', async () => {
    const { send, reply } = serve({ state: new Error('x') });
    const { result } = await reply((await send()).result.requestState);
    expect(result.structuredContent).toMatchObject({ status: 'confirmation-required', note: expect.any(String) });
  });

  test('without a reader compute itself says whether it is approved', async () => {
    const { send, reply } = serve({ noReader: true, heldTimes: 2 });
    const first = await send();
    const second = (await reply(first.result.requestState)).result;
    expect(second.resultType).toBe('input_required');
    expect((await reply(second.requestState)).result.structuredContent).toMatchObject(reservation);
  });

  test.each(['decline', 'cancel'])('%s is the plain result, without a look', async (action) => {
    const { send, reply, compute, looks } = serve();
    const { result } = await reply((await send()).result.requestState, action);
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'confirmation-required', idempotencyKey: compute.seen[0]!.input.idempotencyKey },
    });
    expect([compute.seen.length, looks()]).toEqual([1, 0]);
  });

  test('the longest summary a person can be shown fits into the state, in any script', async () => {
    const { send, reply } = serve({ details: { summary: '予'.repeat(2_000), approvalUrl: `https://compute.example/${'a'.repeat(2_000)}` } });
    const { requestState } = (await send()).result;
    expect((await reply(requestState)).result.structuredContent).toMatchObject(reservation);
  });

  test('a question that was not answered is asked again', async () => {
    const { send, compute } = serve();
    const { requestState } = (await send()).result;
    for (const inputResponses of [undefined, {}, { other: { action: 'accept' } }])
      expect((await send({ requestState, inputResponses })).result.resultType).toBe('input_required');
    expect(compute.seen).toHaveLength(1);
  });

  test.each([7, 'accept', [], { approval: 7 }, { approval: { action: 'maybe' } }, { approval: {} }, null])(
    'an answer of no form, %j, is -32602',
    async (inputResponses) => {
      const { send } = serve();
      const { requestState } = (await send()).result;
      expect((await send({ requestState, inputResponses })).error.code).toBe(-32602);
    },
  );
});

describe('compute§11.3 a state is good for one caller, tool and arguments', () => {
  const refused = { code: -32602, data: { reason: 'invalid_request_state' } };

  test.each([
    ['forged', (state: string) => `${state.split('.')[0]}.${'A'.repeat(43)}`],
    ['with another payload', (state: string) => `${btoa('{"hold":{},"round":1,"expiresAt":9e15}').replaceAll('=', '')}.${state.split('.')[1]}`],
    ['longer', (state: string) => `${state}-TAMPERED`],
    ['with a part more', (state: string) => `${state}.x`],
    ['cut', (state: string) => state.slice(0, -1)],
    ['empty', () => ''],
    ['no text', () => 7],
    ['huge', () => 'a'.repeat(20_000)],
  ])('%s is -32602, and nothing is called', async (_, change) => {
    const { send, reply, compute } = serve();
    const { requestState } = (await send()).result;
    expect((await reply(change(requestState))).error).toMatchObject(refused);
    expect(compute.seen).toHaveLength(1);
  });

  test('other arguments, another caller, another secret, too late: -32602', async () => {
    const { send, reply, clock } = serve();
    const { requestState } = (await send()).result;
    expect((await reply(requestState, 'accept', { arguments: { ...reserveArguments, gpus: 8 } })).error).toMatchObject(refused);
    const inputResponses = { approval: { action: 'accept' } };
    expect((await send({ requestState, inputResponses }, { caller: { ...agent, delegationId: 'dlg_2' } })).error).toMatchObject(refused);
    expect((await send({ requestState, inputResponses, arguments: {} }, { name: 'list_pools' })).error).toMatchObject(refused);
    expect((await serve({ stateSecret: 'another secret of thirty-two chars' }).reply(requestState)).error).toMatchObject(refused);
    clock.at += 90 * 60_000;
    expect((await reply(requestState)).error).toMatchObject(refused);
  });

  test('the order of arguments does not matter', async () => {
    const { send, reply } = serve();
    const { requestState } = (await send()).result;
    expect((await reply(requestState, 'accept', { arguments: { duration: '1h', gpus: 1, poolId: 'pool_a' } })).result.structuredContent).toMatchObject(
      reservation,
    );
  });
});

describe('compute§11.3 otherwise the plain result, waited for in the call', () => {
  test.each([
    ['the client declares nothing', {}, {}],
    ['the client shows forms only', {}, { capabilities: { elicitation: { form: {} } } }],
    ['the client declares an empty elicitation', {}, { capabilities: { elicitation: {} } }],
    ['there is no secret', { stateSecret: undefined }, { capabilities: asks }],
  ])('%s', async (_, o, more) => {
    const { send, clock } = serve({ state: 'pending', ...o });
    const { result } = await send({}, { capabilities: {}, ...more });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'confirmation-required' } });
    expect(clock.at).toBe(1_025_000);
  });

  test('without an address nobody can be sent anywhere', async () => {
    const { send } = serve({ details: { approvalUrl: undefined } });
    expect((await send()).result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'confirmation-required' } });
  });

  test('a state where none is given out is -32602', async () => {
    const { send } = serve({ stateSecret: undefined });
    expect((await send({ requestState: 'x' })).error.code).toBe(-32602);
  });

  test('a closed connection ends the waiting, and nothing is retried', async () => {
    const left = new AbortController();
    const compute = fakeCompute({ 'reservations.create': held() });
    const clock = fakeClock(({ count }) => count === 2 && left.abort());
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', fetch: compute.fetch, clock, confirmations: () => ({ state: () => 'pending' }) });
    await mcp.handler(statelessRequest('tools/call', { name: 'reserve_gpus', arguments: reserveArguments }, { signal: left.signal }), agent);
    expect([clock.pauses.length, compute.seen.length]).toEqual([2, 1]);
  });
});
