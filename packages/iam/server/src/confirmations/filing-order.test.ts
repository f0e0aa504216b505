import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handOff, helper, opened, withHandoff } from '../test-support/handing-on.ts';
import { draft, file, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
const api = () => world.iam.api.delegations;
const asked = { action: 'compute:reservations:create', resource: { type: 'compute-reservation', id: 'drf_1' }, reason: 'because' };
const ask = (input: object = {}, credential = token) => api().requestConfirmation({ token: credential }, { ...asked, ...input });
const named = (id: string) => ({ resource: { type: 'compute-reservation', id } });

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
  world.put(draft(world.tenantId, 'drf_1'));
});
afterAll(() => world.close());

const settle = (confirmationId: string, approve: boolean) => api().decideConfirmation(world.alex, { confirmationId, approve });
async function rejectedTwice(): Promise<void> {
  for (const id of ['drf_a', 'drf_b']) await settle(await file(world, token, draft(world.tenantId, id)), false);
}
async function budgetSpent(from = 0): Promise<void> {
  for (let i = from; i < 10; i++) await file(world, token, draft(world.tenantId, `drf_n${i}`, 100 + i));
}

describe('the first failure answers', () => {
  test('iam§17.5 step 1 before 2: who may not file is not told what is wrong with the form', async () => {
    const wrong = { reason: '', validSeconds: 1, unheard: true };
    for (const credential of [world.agent.key, world.alex.token]) await expect(ask(wrong, credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(ask({ ...wrong, tenantId: world.stranger.tenantId })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(ask(wrong, 'nonsense')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(ask(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§17.5 step 2: every shape, before the action is looked at', async () => {
    const unheld = { action: 'compute:pools:read' };
    const wrong: [path: string, input: object][] = [
      ['reason', { reason: 'x'.repeat(1025) }],
      ['reason', { reason: 'a\u0000b' }],
      ['resource.type', { resource: { type: 't'.repeat(65), id: 'x' } }],
      ['resource.id', { resource: { type: 'compute-reservation', id: 'i'.repeat(2049) } }],
      ['resource.id', { resource: { type: 'compute-reservation', id: 'a\u200bb' } }],
      ['validSeconds', { validSeconds: 29 }],
    ];
    for (const [path, input] of wrong) await expect(ask({ ...unheld, ...input })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path } });
    await expect(ask({ action: 'a'.repeat(257) })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path: 'action' } });
  });

  test('iam§17.5 step 3 before 4: an action nobody holds back, on what does not exist', async () => {
    await expect(ask({ action: 'compute:pools:read', ...named('drf_none') })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { path: 'action' } });
  });

  test('iam§17.5 step 3: what the delegation above holds may be filed below it', async () => {
    const first = await withHandoff(world);
    const second = await helper(world);
    const below = await handOff(world, first.token, second.id);
    const { id, delegationId } = await ask({}, await opened(world, second.key, below.id));
    expect(delegationId).toBe(below.id);
    expect(await api().getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ subjectId: world.alex.id, agent: { id: second.id } });
  });

  test('iam§17.5 step 5 before 6: a request that waits is not shown to who could no longer do it', async () => {
    await ask();
    const { items } = await world.iam.api.bindings.list(world.owner, { identityId: world.alex.id });
    await world.iam.api.bindings.delete(world.owner, { bindingId: items[0]!.id });
    await expect(ask()).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await world.iam.api.bindings.create(world.owner, { roleId: items[0]!.roleId, identityId: world.alex.id });
  });

  test('iam§17.5 step 6 before 7 and 8: what waits is returned in a cool-down and with no budget left, with its first words', async () => {
    const { id } = await ask({ reason: 'first words' });
    await rejectedTwice();
    world.put({ ...draft(world.tenantId, 'drf_1'), confirmation: { summary: 'Other words', binding: { gpus: 8 } } });
    expect(await ask({ reason: 'others' })).toMatchObject({ id, reason: 'first words', summary: 'Reserve 8 GPUs' });
    await budgetSpent(3);
    await expect(file(world, token, draft(world.tenantId, 'drf_more', 99))).rejects.toMatchObject({ details: { reason: 'filing-budget' } });
    expect(await ask()).toMatchObject({ id });
  });

  test('iam§17.5 step 6: another binding under that id is another request, and so is the same one once it has lapsed', async () => {
    const { id } = await ask();
    world.put(draft(world.tenantId, 'drf_1', 16));
    const other = await ask();
    expect(other.id).not.toBe(id);
    world.clock.pass(30 * MINUTE);
    token = await world.assume();
    expect((await ask()).id).not.toBe(other.id);
  });

  test('iam§17.5 step 7 before 8: of both the cool-down, and both say until when', async () => {
    await rejectedTwice();
    await budgetSpent(2);
    await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterMs: 15 * MINUTE, details: { reason: 'cool-down' } });
    world.put(draft(world.tenantId, 'drf_1', 64));
    await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterMs: 15 * MINUTE, details: { reason: 'filing-budget' } });
  });
});
