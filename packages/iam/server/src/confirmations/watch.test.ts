import type { Confirmation } from '@better-iam/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, draft, file, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
});
afterAll(() => world.close());

const follow = async (credential: { token: string }) => (await world.iam.api.delegations.watchConfirmations(credential))[Symbol.asyncIterator]();
const value = async (next: Promise<IteratorResult<Confirmation>>): Promise<Confirmation> => {
  const result = await next;
  if (result.done) throw new Error('the stream has ended');
  return result.value;
};

describe('following one’s confirmations', () => {
  test('iam§17.2 filed, approved and used are each told to the person, and to nobody else', async () => {
    const mine = await follow(world.alex);
    const others = await follow(world.blake);
    const quiet = others.next();
    const resource = draft(world.tenantId, 'drf_1');
    const id = await file(world, token, resource);
    expect(await value(mine.next())).toMatchObject({ id, status: 'pending', digest: expect.any(String) });
    await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: id, approve: true });
    expect(await value(mine.next())).toMatchObject({ id, status: 'approved' });
    await decide(world, token, resource);
    expect(await value(mine.next())).toMatchObject({ id, status: 'used' });
    await others.return?.();
    expect(await quiet).toMatchObject({ done: true });
    await mine.return?.();
  });

  test('iam§17.2 a lapse is told once the clock says so', async () => {
    const first = await file(world, token, draft(world.tenantId, 'drf_1'));
    const stream = await follow(world.alex);
    world.clock.pass(30 * MINUTE);
    expect(await value(stream.next())).toMatchObject({ id: first, status: 'pending', expired: true });
    await stream.return?.();
  });

  test('iam§25 the stream ends with the session it was opened by', async () => {
    const stream = await follow(world.alex);
    await world.iam.api.auth.signOut(world.alex);
    await file(world, token, draft(world.tenantId, 'drf_1'));
    await expect(stream.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await stream.next()).toMatchObject({ done: true });
  });

  test('iam§14.4 an agent follows nothing', async () => {
    await expect(world.iam.api.delegations.watchConfirmations({ token })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('iam§20 whoever waits for one confirmation in the process is woken by its decision', async () => {
    const id = await file(world, token, draft(world.tenantId, 'drf_1'));
    const woken = new Promise<void>((resolve) => {
      const stop = world.iam.api.delegations.watch(id, () => {
        stop();
        resolve();
      });
    });
    await world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId: id, approve: true });
    await woken;
  });
});
