import { availableParallelism, tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createHostDevices } from './host.ts';

test('compute§4.2 a real machine says what it has, and proves no capability without a driver', async () => {
  const devices = createHostDevices(tmpdir());
  const { inventory, capabilities } = await devices.probe('node_1');
  expect(inventory).toMatchObject({ gpus: [], vcpu: availableParallelism() });
  expect(inventory.memoryGiB).toBeGreaterThan(0.1);
  expect(inventory.diskGiB).toBeGreaterThan(0);
  expect(capabilities.map(({ name }) => name)).toEqual([
    'sandbox',
    'limits',
    'disk',
    'volume',
    'snapshot',
    'egress',
    'browser',
    'workspace',
    'instance',
    'gpu',
    'kubernetes',
  ]);
  expect(capabilities.filter(({ ok, reason }) => ok || !reason)).toEqual([]);
  const load = await devices.load();
  expect(load.memoryGiB).toBeGreaterThan(0);
  expect(load.memoryGiB).toBeLessThanOrEqual(inventory.memoryGiB);
});
