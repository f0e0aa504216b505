import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusalFrom } from '../testing/code-of.ts';
import { type TestClient, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let owner: TestClient;
let agent: TestClient;
let turn = 0;
let reservationId: string;

beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());
beforeEach(async () => {
  const poolId = `pool_${++turn}`;
  const identityId = `usr_${turn}`;
  await plane.pool({ id: poolId });
  await plane.nodes(1, { poolId });
  owner = plane.as({ identityId });
  agent = plane.as({
    identityId,
    agentId: 'agent_1',
    delegationId: `dlg_${turn}`,
    sessionKind: 'delegated',
    holds: new Set(['compute:reservations:extend']),
  });
  const { reservation } = await owner.reservations.create({ poolId, requests: [{ class: 'gpu', count: 2 }], duration: '8h' });
  reservationId = reservation.id;
});

const confirmationOf = async (call: Promise<unknown>): Promise<string> => {
  const refusal = await refusalFrom(call);
  expect(refusal.code).toBe('CONFIRMATION_REQUIRED');
  return refusal.details.confirmationId;
};
const filed = async () => (await plane.iam.confirmations()).filter((one) => one.delegationId === `dlg_${turn}`);

describe('an approved extension, when the end it was read from has moved meanwhile', () => {
  test('iam§17.4 of two approvals to extend until the same time one is used and the other admits nothing', async () => {
    const extend = (idempotencyKey: string) => agent.reservations.extend({ reservationId, by: '1h', idempotencyKey });
    const ids = [await confirmationOf(extend('k1')), await confirmationOf(extend('k2'))];
    const [first, second] = (await filed()).map(({ resource }) => resource.confirmation!.summary);
    expect(first).toBe(second);
    for (const id of ids) await plane.iam.decide(id, 'approved');
    const { extension } = await extend('k1');
    expect((await refusalFrom(extend('k2'))).details).toEqual({ reason: 'expired-draft' });
    expect((await agent.reservations.get({ reservationId })).reservation.expiresAt).toBe(extension.expiresAt);
    expect((await filed()).map(({ status }) => status)).toEqual(['used', 'approved']);
    // asking again under its own key is still the first extension
    expect((await extend('k1')).extension.expiresAt).toBe(extension.expiresAt);
  });

  test('iam§17.4 iam§18 without a key it is asked about anew, with the time it would have now', async () => {
    const token = [...plane.iam.callers].find(([, caller]) => caller.delegationId === `dlg_${turn}`)![0];
    // the client mints a key where the contract says so: these calls go past it
    const keyless = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ reservationId, by: '1h' });
      const answer = await plane.compute.handler(new Request('https://compute.test/api/compute/reservations/extend', { method: 'POST', headers, body }));
      return (await answer.json()) as { data?: { extension: { addedSeconds: number } }; error?: { details: { confirmationId: string } } };
    };
    const before = (await keyless()).error!.details.confirmationId;
    await plane.iam.decide(before, 'approved');
    await owner.reservations.extend({ reservationId, by: '2h' });
    const after = (await keyless()).error!.details.confirmationId;
    expect(after).not.toBe(before);
    expect((await filed()).find(({ id }) => id === after)!.resource.attributes).toMatchObject({ totalSeconds: 11 * 3_600 });
    await plane.iam.decide(after, 'approved');
    expect((await keyless()).data!.extension.addedSeconds).toBe(3_600);
  });
});
