import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLATFORM, POOL, TENANT, type TestPlane, testPlane } from '../testing/test-plane.ts';

let plane: TestPlane;
let nodeId: string;
beforeAll(async () => {
  plane = await testPlane({ typePrefix: 'acme-' });
  await plane.pool({ region: 'fra', tenants: [TENANT] });
  [nodeId] = (await plane.nodes(1)) as [string];
});
afterAll(() => plane.close());

const resolve = (tenantId: string, type: string, id: string) => plane.compute.resolveResource({ tenantId, type, id });

test('iam§9.2 compute§3.1 a pool and its nodes are projected into the tenants they are offered to, and unknown to others', async () => {
  expect(await resolve(TENANT, 'acme-pool', POOL)).toEqual({
    tenantId: TENANT,
    type: 'acme-pool',
    id: POOL,
    attributes: { kind: 'gpu', gpuProducts: ['H100-SXM5-80GB'], operator: false, region: 'fra' },
  });
  expect(await resolve(TENANT, 'acme-node', nodeId)).toMatchObject({ tenantId: TENANT, attributes: { poolId: POOL, state: 'ready', operator: false } });
  expect(await resolve(PLATFORM, 'acme-node', nodeId)).toMatchObject({ tenantId: PLATFORM, attributes: { operator: true } });
  expect(await resolve('tnt_other', 'acme-pool', POOL)).toBeUndefined();
  expect(await resolve('tnt_other', 'acme-node', nodeId)).toBeUndefined();
});

test('iam§9.2 compute§3.2 a reservation is its tenant’s with its owner, the fleet is the root’s, a tenant is itself', async () => {
  const { reservation } = await plane.as({}).reservations.create({ poolId: POOL, requests: [{ class: 'gpu', count: 1 }], duration: '1h' });
  expect(await resolve(TENANT, 'acme-reservation', reservation.id)).toMatchObject({
    ownerId: 'usr_ann',
    attributes: { poolId: POOL, gpus: 1, state: 'active' },
  });
  expect(await resolve('tnt_other', 'acme-reservation', reservation.id)).toBeUndefined();
  expect(await resolve(PLATFORM, 'acme-fleet', 'global')).toMatchObject({ id: 'global' });
  expect(await resolve(TENANT, 'acme-fleet', 'global')).toBeUndefined();
  expect(await resolve(TENANT, 'acme-tenant', TENANT)).toMatchObject({ id: TENANT });
  expect(await resolve(TENANT, 'acme-tenant', PLATFORM)).toBeUndefined();
  expect(await resolve(TENANT, 'compute-pool', POOL)).toBeUndefined();
  expect(await resolve(TENANT, 'acme-reservation', 'drf_unknown')).toBeUndefined();
});
