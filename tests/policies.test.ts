import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createComputeClient } from '@better-compute/client';
import { startDeployment, type Deployment } from './support/deployment.ts';

interface ShippedPolicy {
  name: string;
  description: string;
  document: Record<string, unknown>;
}

const folder = join(import.meta.dirname, '..', 'apps', 'better-compute', 'policies');
const shipped = Object.fromEntries(
  readdirSync(folder)
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ShippedPolicy)
    .map((p) => [p.name, p]),
);
const PASSWORD = 'correct horse battery';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
});
afterAll(() => d.stop());

const asAlice = () => ({ token: d.alice.token });

/** A role of shipped policies, bound to an identity of alice's organization. */
async function give(identityId: string, ...names: string[]): Promise<void> {
  const api = d.plane.iam.api;
  const policyIds: string[] = [];
  for (const name of names) {
    const existing = (await api.policies.list(asAlice(), {})).items.find((policy) => policy.name === name);
    policyIds.push((existing ?? (await api.policies.create(asAlice(), { name, document: shipped[name]!.document }))).id);
  }
  const role = await api.roles.create(asAlice(), { name: `${names.join('+')} of ${identityId}`, policyIds });
  await api.bindings.create(asAlice(), { roleId: role.id, identityId });
}

async function person(name: string, ...policies: string[]) {
  const made = await d.plane.iam.api.identities.create(asAlice(), { email: `${name}@acme.test`, name, password: PASSWORD });
  await give(made.id, ...policies);
  const { token } = (await d.plane.iam.api.auth.signIn({ organization: 'acme', email: `${name}@acme.test`, password: PASSWORD })) as { token: string };
  return createComputeClient({ baseURL: d.plane.url, token });
}

const gpus = (count: number, duration = '2h') => ({ poolId: d.poolId, requests: [{ class: 'gpu' as const, count }], duration });

test('B172 iam§10.7 the shipped policies are there by the names of the page, and valid without a warning', async () => {
  expect(Object.keys(shipped).sort()).toEqual(['agent-guardrails', 'platform-operator', 'reservation-user']);
  const sids = (shipped['reservation-user']!.document.statements as { sid: string }[]).map((s) => s.sid);
  expect(sids).toEqual(expect.arrayContaining(['OwnReservations', 'BoundedExtend']));
  for (const { document } of Object.values(shipped))
    expect(await d.plane.iam.api.policies.validate(asAlice(), { document })).toEqual({ valid: true, warnings: [] });
});

test('iam§10.7 reservation-user: reserves, sees and extends its own by at most a day, and nothing of others', async () => {
  const bob = await person('bob', 'reservation-user');
  const { reservation } = await bob.reservations.create(gpus(1));
  expect(reservation.state).toBe('active');
  expect((await bob.reservations.extend({ reservationId: reservation.id, by: '24h' })).extension.addedSeconds).toBe(86_400);
  await expect(bob.reservations.extend({ reservationId: reservation.id, by: '25h' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  const carol = await person('carol', 'reservation-user');
  await expect(carol.reservations.get({ reservationId: reservation.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await carol.reservations.list({ scope: 'all' })).items).toEqual([]);
  await expect(carol.reservations.release({ reservationId: reservation.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await bob.reservations.release({ reservationId: reservation.id })).reservation.state).toBe('released');
});

test('B172 agent-guardrails: an agent stays under sixteen GPUs whatever else it was given; a person does not', async () => {
  await give(d.agent.id, 'reservation-user', 'agent-guardrails');
  const bot = createComputeClient({ baseURL: d.plane.url, token: d.agent.key });
  const { reservation } = await bot.reservations.create(gpus(2));
  await bot.reservations.release({ reservationId: reservation.id });
  await expect(bot.reservations.create(gpus(17))).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  const dave = await person('dave', 'reservation-user', 'agent-guardrails');
  const large = await dave.reservations.create({ ...gpus(16), wait: { timeoutMs: 0 } });
  await dave.reservations.release({ reservationId: large.reservation.id });
});

test('iam§11.2 platform-operator works where the pool delegates its operation, and nowhere else; a binding outside its window does nothing', async () => {
  const erin = await person('erin', 'platform-operator');
  const { items } = await erin.nodes.list({});
  await expect(erin.nodes.drain({ nodeId: items[0]!.id })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await d.plane.compute.putPool({
    id: d.poolId,
    name: 'Test pool',
    kind: 'gpu',
    placement: 'lease',
    tenants: 'all',
    operators: [d.alice.tenantId],
    labels: {},
    defaults: { vcpuPerGpu: 8, memoryGiBPerGpu: 64 },
    limits: { maxGpus: 64, maxDuration: '30d' },
  });
  expect((await erin.nodes.drain({ nodeId: items[0]!.id })).node.state).toBe('draining');
  expect((await erin.nodes.undrain({ nodeId: items[0]!.id })).node.state).toBe('ready');
  const frank = await d.plane.iam.api.identities.create(asAlice(), { email: 'frank@acme.test', name: 'frank', password: PASSWORD });
  const role = await d.plane.iam.api.roles.create(asAlice(), { name: 'later', permissions: ['compute:*'] });
  await d.plane.iam.api.bindings.create(asAlice(), { roleId: role.id, identityId: frank.id, startsAt: Date.now() + 3_600_000 });
  const { token } = (await d.plane.iam.api.auth.signIn({ organization: 'acme', email: 'frank@acme.test', password: PASSWORD })) as { token: string };
  expect((await createComputeClient({ baseURL: d.plane.url, token }).pools.list({})).items).toEqual([]);
});
