import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, draft, file, MINUTE, openWorld, type World } from '../test-support/world.ts';

let world: World;
let token: string;
let count = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  await world.renew();
  token = await world.assume();
});
afterAll(() => world.close());

/** Files anew under a fresh id, as a fresh key makes one. */
const fileAnew = (gpus = 8) => file(world, token, draft(world.tenantId, `drf_${count++}`, gpus));
const settle = (confirmationId: string, approve: boolean) => world.iam.api.delegations.decideConfirmation(world.alex, { confirmationId, approve });

describe('after a rejection', () => {
  test('iam§17.9 the second filing is a new request; the third, after two rejections, waits 15 minutes whatever its id', async () => {
    await settle(await fileAnew(), false);
    world.clock.pass(MINUTE);
    await settle(await fileAnew(), false);
    world.clock.pass(MINUTE);
    await expect(fileAnew()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 14 * MINUTE, details: { reason: 'cool-down' } });
    world.clock.pass(14 * MINUTE - 1);
    token = await world.assume();
    await expect(fileAnew()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1 });
    world.clock.pass(1);
    const third = await fileAnew();
    await settle(third, false);
    await expect(fileAnew()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 15 * MINUTE });
  });

  test('iam§17.9 the application may say what makes requests alike: another spelling is held up, and admitted by no approval but its own', async () => {
    const spelled = (time: string) => {
      const { confirmation, ...rest } = draft(world.tenantId, `drf_${count++}`);
      return { ...rest, confirmation: { ...confirmation!, binding: { time }, likeness: { hours: 8 } } };
    };
    for (const time of ['8h', '480m']) await settle(await file(world, token, spelled(time)), false);
    await expect(file(world, token, spelled('28800s'))).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'cool-down' } });
    world.clock.pass(15 * MINUTE);
    token = await world.assume();
    const approved = spelled('8h');
    await settle(await file(world, token, approved), true);
    expect(await decide(world, token, { ...approved, confirmation: { ...approved.confirmation, binding: { time: '480m' } } })).toMatchObject({
      allowed: false,
    });
    expect(await decide(world, token, approved)).toMatchObject({ allowed: true });
  });

  test('iam§17.9 another request, or the same one of another delegation, is not held up', async () => {
    await settle(await fileAnew(), false);
    await settle(await fileAnew(), false);
    await fileAnew(16);
    await expect(fileAnew()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('iam§17.9 an approval between starts the count again', async () => {
    await settle(await fileAnew(), false);
    world.clock.pass(1);
    await settle(await fileAnew(), true);
    world.clock.pass(1);
    await settle(await fileAnew(), false);
    await fileAnew();
  });

  test('iam§17.1 a card says how often the like of it was asked for and rejected in 24 hours', async () => {
    await settle(await fileAnew(), false);
    await fileAnew();
    const id = await fileAnew();
    expect(await world.iam.api.delegations.getConfirmation(world.alex, { confirmationId: id })).toMatchObject({ repeat: { count: 2, rejected: 1 } });
  });
});
