import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createComputeClient, type ComputeClient } from '@better-compute/client';
import { startDeployment, type Deployment } from './support/deployment.ts';

const policy = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'apps', 'better-compute', 'policies', 'reservation-user.json'), 'utf8')) as {
  document: Record<string, unknown>;
};
const PASSWORD = 'correct horse battery';

let d: Deployment;
let root: ComputeClient;
let alice: ComputeClient;
let agent: ComputeClient;
const clientOf = (token: string): ComputeClient => createComputeClient({ baseURL: d.plane.url, token });
beforeAll(async () => {
  d = await startDeployment();
  [root, alice, agent] = [clientOf(d.admin.token), clientOf(d.alice.token), clientOf(d.agentToken)];
});
afterAll(() => d.stop());

const asAlice = () => ({ token: d.alice.token });
const gpus = (count: number, duration: string, more: object = {}) => ({ poolId: d.poolId, requests: [{ class: 'gpu' as const, count }], duration, ...more });
const refusal = async (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as { code: string; details: Record<string, unknown> },
  );
const held = async (call: Promise<unknown>): Promise<string> => {
  const refused = await refusal(call);
  expect(refused?.code).toBe('CONFIRMATION_REQUIRED');
  return refused!.details.confirmationId as string;
};
const decide = async (confirmationId: string, approve: boolean) => await d.plane.iam.api.delegations.decideConfirmation(asAlice(), { confirmationId, approve });
const heldOf = async (budgetId: string): Promise<number> => (await alice.budgets.list()).items.find(({ id }) => id === budgetId)!.held;

/** A person of alice's organization with what the shipped policy gives. */
async function person(name: string): Promise<{ id: string; token: string }> {
  const api = d.plane.iam.api;
  const { id } = await api.identities.create(asAlice(), { email: `${name}@acme.test`, name, password: PASSWORD });
  const made = await api.policies.create(asAlice(), { name: `of ${name}`, document: policy.document });
  const role = await api.roles.create(asAlice(), { name: `of ${name}`, policyIds: [made.id] });
  await api.bindings.create(asAlice(), { roleId: role.id, identityId: id });
  const { token } = await api.auth.signIn({ organization: 'acme', email: `${name}@acme.test`, password: PASSWORD });
  return { id, token: token! };
}

test('compute§3.5 issue2.5 the root bounds an organization, its owner a person, the person their delegation; nobody moves what is above them', async () => {
  const tenant = { unit: 'gpuHours', period: 'month', limit: 1_000 } as const;
  expect((await root.budgets.set({ tenantId: d.alice.tenantId, ...tenant })).budget).toMatchObject({ tenantId: d.alice.tenantId, limit: 1_000 });
  expect((await refusal(alice.budgets.set({ ...tenant, limit: 9_999 })))?.code).toBe('ACCESS_DENIED');
  expect((await refusal(clientOf(d.mallory.token).budgets.set({ tenantId: d.alice.tenantId, ...tenant })))?.code).toBe('ACCESS_DENIED');
  const bob = await person('bob');
  const asBob = clientOf(bob.token);
  const own = (await alice.budgets.set({ person: bob.id, unit: 'gpuHours', limit: 6 })).budget;
  expect((await asBob.budgets.list()).items).toEqual([own]);
  expect((await refusal(asBob.budgets.set({ person: bob.id, unit: 'gpuHours', limit: 600 })))?.code).toBe('ACCESS_DENIED');
  expect((await refusal(asBob.budgets.set({ delegation: d.delegationId, unit: 'gpuHours', limit: 600 })))?.code).toBe('ACCESS_DENIED');
  expect((await refusal(alice.budgets.set({ person: d.mallory.identityId, unit: 'gpuHours', limit: 1 })))?.code).toBe('NOT_FOUND');
  expect((await refusal(agent.budgets.set({ delegation: d.delegationId, unit: 'gpuHours', limit: 600 })))?.code).toBe('ACCESS_DENIED');
  const { reservation } = await asBob.reservations.create(gpus(3, '2h'));
  expect(await refusal(asBob.reservations.create(gpus(1, '1h')))).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    details: { budgetId: own.id, limit: 6, used: 6, asked: 1 },
  });
  await asBob.reservations.release({ reservationId: reservation.id });
  await asBob.reservations.release({ reservationId: (await asBob.reservations.create(gpus(1, '1h'))).reservation.id });
});

test('compute§3.5 iam§17.4 issue2.5 what a person may still approve is kept for, and given back by a rejection and by the end of the delegation', async () => {
  const { budget } = await alice.budgets.set({ delegation: d.delegationId, unit: 'gpuHours', limit: 20 });
  const call = (idempotencyKey: string, hours: string) => agent.reservations.create(gpus(1, hours, { idempotencyKey }));
  const rejected = await held(call('a', '12h'));
  expect(await heldOf(budget.id)).toBe(12);
  expect(await refusal(call('b', '9h'))).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { limit: 20, used: 0, held: 12, asked: 9, unit: 'gpuHours' } });
  await decide(rejected, false);
  expect(await heldOf(budget.id)).toBe(0);
  const approved = await held(call('b', '9h'));
  await decide(approved, true);
  expect(await heldOf(budget.id)).toBe(9);
  const { reservation } = await call('b', '9h');
  expect((await alice.budgets.list()).items.find(({ id }) => id === budget.id)).toMatchObject({ used: 9, held: 0, left: 11 });
  await alice.reservations.release({ reservationId: reservation.id });
  const waiting = await held(call('c', '11h'));
  const draft = (await d.plane.iam.api.delegations.getConfirmation(asAlice(), { confirmationId: waiting })).resource.id;
  const { left } = await alice.budgets.left({ draftId: draft });
  expect(left.budgets.map(({ bounds, asked }) => [bounds, asked])).toEqual([
    ['organization', 11],
    ['delegation', 11],
  ]);
  expect((await refusal(root.budgets.left({ draftId: draft })))?.code).toBe('NOT_FOUND');
  expect((await refusal(clientOf((await person('carol')).token).budgets.left({ draftId: draft })))?.code).toBe('NOT_FOUND');
  expect(await heldOf(budget.id)).toBe(11);
  await d.plane.iam.api.delegations.revoke(asAlice(), { delegationId: d.delegationId });
  expect(await heldOf(budget.id)).toBe(0);
});
