import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draft, file, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
const create = 'compute:reservations:create';
const resource = { type: 'compute-reservation', id: 'drf_1' };
const ask = (credential: string, input: object = {}) =>
  world.iam.api.delegations.requestConfirmation({ token: credential }, { action: create, resource, reason: 'because', ...input });

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
  world.put(draft(world.tenantId, 'drf_1'));
});
afterAll(() => world.close());

describe('filing by an agent, first failure first', () => {
  test('iam§17.5 step 1: an API key, a person, and another tenant than the session’s are refused', async () => {
    for (const credential of [world.agent.key, world.alex.token]) await expect(ask(credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(ask(token, { tenantId: world.stranger.tenantId })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(ask(token, { tenantId: 'tnt_nowhere' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§17.5 step 2: a reason is required, of plain text; validSeconds is 30 to 3600', async () => {
    for (const input of [
      { reason: undefined },
      { reason: '' },
      { reason: 'x'.repeat(1025) },
      { reason: 'evil \u202e txt' },
      { reason: 'hid\u200bden' },
      { validSeconds: 29 },
      { validSeconds: 3601 },
      { validSeconds: 30.5 },
    ])
      await expect(ask(token, input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await ask(token, { reason: 'line one\n\tline two' })).toMatchObject({ reason: 'line one\n\tline two', validSeconds: 300, filedBy: 'agent' });
  });

  test('iam§17.5 step 3: an action outside the catalog, or that nobody holds back, is INVALID_INPUT', async () => {
    await expect(ask(token, { action: 'compute:unknown:thing' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(ask(token, { action: 'compute:pools:read' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§17.5 step 3: an action on a type of resource it is never asked on is INVALID_INPUT, whether there is such a resource or not', async () => {
    const { id: delegationId } = await world.iam.api.delegations.grant(world.blake, { agentId: world.agent.id, scopes: ['compute:*'], confirm: ['*'] });
    const all = (await world.iam.api.delegations.assume({ token: world.agent.key }, { delegationId })).token;
    const actionsOf: Record<string, string> = { 'compute-reservation': 'reservations', 'compute-pool': 'pools', 'compute-node': 'nodes', iam: 'iam' };
    const actions = [create, 'compute:reservations:extend', 'compute:pools:read', 'compute:nodes:reboot', 'iam:audit:read'];
    for (const [type, ownActions] of Object.entries(actionsOf))
      for (const action of actions) {
        if (type !== 'iam') world.put({ tenantId: world.tenantId, type, id: 'there', attributes: {} });
        for (const id of ['there', 'nowhere']) {
          const asked = ask(all, { action, resource: { type, id } });
          if (action.includes(ownActions)) await asked.catch((e: Error) => expect(e).toMatchObject({ code: 'ACCESS_DENIED' }));
          else await expect(asked).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path: 'resource.type' } });
        }
      }
  });

  test('iam§17.5 steps 4 and 5: what does not exist and what would be denied anyway are refused in the same words', async () => {
    const missing = await ask(token, { resource: { ...resource, id: 'drf_none' } }).catch((e: Error) => e);
    const bindings = await world.iam.api.bindings.list(world.owner, { identityId: world.alex.id });
    await world.iam.api.bindings.delete(world.owner, { bindingId: bindings.items[0]!.id });
    const denied = await ask(token).catch((e: Error) => e);
    await world.iam.api.bindings.create(world.owner, { roleId: bindings.items[0]!.roleId, identityId: world.alex.id });
    expect([missing, denied]).toMatchObject([{ code: 'ACCESS_DENIED' }, { code: 'ACCESS_DENIED' }]);
    expect((missing as Error).message).toBe((denied as Error).message);
  });

  test('iam§17.5 step 6: the same request returns the waiting record and counts once', async () => {
    const first = await ask(token);
    for (let i = 0; i < 15; i++) expect((await ask(token, { reason: `again ${i}` })).id).toBe(first.id);
    expect(first).not.toHaveProperty('digest');
    expect(await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: first.id })).toMatchObject({
      reason: 'because',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('iam§17.5 step 6: an approved match is not returned by filing', async () => {
    const first = await ask(token);
    await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: first.id, approve: true });
    expect((await ask(token)).id).not.toBe(first.id);
  });

  test('iam§17.5 step 8: ten new requests in 15 minutes, then RATE_LIMITED until the first of them is 15 minutes old', async () => {
    for (let i = 0; i < 10; i++) {
      await file(world, token, draft(world.tenantId, `drf_${i}`, i + 1));
      world.clock.pass(MINUTE / 6);
    }
    await expect(file(world, token, draft(world.tenantId, 'drf_11', 11))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      retryAfterMs: 15 * MINUTE - 10 * (MINUTE / 6),
      details: { reason: 'filing-budget' },
    });
    world.clock.pass(15 * MINUTE - 10 * (MINUTE / 6));
    token = await world.assume();
    await file(world, token, draft(world.tenantId, 'drf_11', 11));
  });

  test('iam§17.5 step 8: at most twenty wait at once', async () => {
    const fill = async (from: number) => {
      token = await world.assume();
      for (let i = from; i < from + 10; i++) await file(world, token, draft(world.tenantId, `drf_${i}`, i + 1));
    };
    await fill(0);
    world.clock.pass(14 * MINUTE);
    await expect(fill(10)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    world.clock.pass(MINUTE);
    await fill(10);
    world.clock.pass(14 * MINUTE + 59_999);
    token = await world.assume();
    await expect(file(world, token, draft(world.tenantId, 'drf_21', 21))).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'filing-budget' } });
    world.clock.pass(1);
    await file(world, token, draft(world.tenantId, 'drf_21', 21));
  });

  test('iam§17.5 step 9: stored, recorded with its digest, and announced to whoever listens', async () => {
    const seen: [string, unknown][] = [];
    const stop = world.iam.events.subscribe(['iam.*'], (event) => void seen.push([event.key, event.payload]));
    const { id } = await ask(token);
    const { items } = await world.iam.api.audit.list(world.owner, { action: 'delegation:confirmation-request' });
    expect(items[0]).toMatchObject({
      actorId: world.alex.id,
      resourceId: 'drf_1',
      metadata: { confirmationId: id, action: create },
      sessionContext: { agentId: world.agent.id, kind: 'delegated' },
    });
    // what happened before may still be on its way
    await expect.poll(() => seen.filter(([key]) => key === id)).toEqual([[id, { tenantId: world.tenantId, subjectId: world.alex.id, status: 'pending' }]]);
    stop();
  });
});
